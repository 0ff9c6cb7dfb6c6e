import { hookifyResource } from '@selfsame/core/rest'
import {
  accountResource,
  articleResource,
  avatarResource,
  commentResource,
  initOf,
} from '@selfsame/demo-shared/application'
import { useSession } from './session.js'

/** The headers of the signed-in user. */
const useInit = () => initOf(useSession().token)

export const accountHooks = hookifyResource(accountResource, useInit)
export const articleHooks = hookifyResource(articleResource, useInit)
export const avatarHooks = hookifyResource(avatarResource, useInit)
export const commentHooks = hookifyResource(commentResource, useInit)
