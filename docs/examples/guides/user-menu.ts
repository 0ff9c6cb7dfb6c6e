import type { Controller } from '@selfsame/core'
import { getMe, isSignedOut, login, logout } from './session.js'

export async function signIn(
  controller: Controller,
  name: string,
  password: string,
) {
  await controller.fetch(login, { name, password })
  return await controller.fetch(getMe)
}

export async function signOut(controller: Controller) {
  try {
    await controller.fetch(logout)
  } finally {
    controller.resetAll()
  }
}

export function isSignedIn(controller: Controller) {
  const { data, error } = controller.read(getMe)
  return data !== undefined && !isSignedOut(error)
}
