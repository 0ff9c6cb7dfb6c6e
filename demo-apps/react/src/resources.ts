import { hookifyResource } from '@selfsame/core/rest'
import {
  accountResource,
  articleResource,
  avatarResource,
  commentResource,
  initOf,
} from '@selfsame/demo-shared/application'
import { useSession } from './session.js'

/** What is sent for whoever is signed in. */
const useInit = () => initOf(useSession().token)

export const accountHooks = hookifyResource(accountResource, useInit)
export const articleHooks = hookifyResource(articleResource, useInit)
export const avatarHooks = hookifyResource(avatarResource, useInit)
export const commentHooks = hookifyResource(commentResource, useInit)
