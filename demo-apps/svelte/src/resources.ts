import { hookifyResource } from '@selfsame/core/rest'
import {
  accountResource,
  articleResource,
  avatarResource,
  commentResource,
  initOf,
} from '@selfsame/demo-shared/application'
import { getSession } from './session.svelte.js'

/** The headers of the user who is signed in at the time of the request. */
function useInit() {
  const session = getSession()
  return () => initOf(session.token) ?? {}
}

export const accountHooks = hookifyResource(accountResource, useInit)
export const articleHooks = hookifyResource(articleResource, useInit)
export const avatarHooks = hookifyResource(avatarResource, useInit)
export const commentHooks = hookifyResource(commentResource, useInit)
