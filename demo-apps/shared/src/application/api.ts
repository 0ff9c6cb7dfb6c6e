import { optimistic } from '@selfsame/core/optimistic'
import { createApi } from '../api.js'

// What the three applications have of the server: their own one, below `/rest`.

/** Where the server of an application passes requests on to the REST server. */
export const restPrefix = '/rest'

export const {
  accountResource,
  articleQueries,
  articleResource,
  avatarResource,
  commentResource,
  getBirthdays,
  getFeed,
  getPictures,
  userResource,
} = createApi({ urlPrefix: restPrefix, optimistic })
