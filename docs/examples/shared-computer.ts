import type { Controller } from '@selfsame/core'
import { outboxOf } from '@selfsame/core/outbox'
import { login, logout } from './guides/session.js'

export const currentUser = { id: undefined as string | undefined }

export async function signInToContinue(
  controller: Controller,
  form: { name: string; password: string },
) {
  await controller.fetch(login, form)
  outboxOf(controller).resume()
}

export async function signOutHere(controller: Controller) {
  // Without a network, too, nothing of the user stays here.
  const isOver = await controller.fetch(logout).then(
    () => true,
    () => false,
  )
  currentUser.id = undefined
  controller.resetAll()
  location.assign(isOver ? '/login' : '/login?session=open')
}
