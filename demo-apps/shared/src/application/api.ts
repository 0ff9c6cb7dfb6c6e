import { optimistic } from '@selfsame/core/optimistic'
import { createApi } from '../api.js'

// The endpoints of the three applications. Each has a server of its own, which proxies `/rest`.

/** The path that the server of an application proxies to the REST server. */
export const restPrefix = '/rest'

export const {
  accountResource,
  activityResource,
  articleQueries,
  articleResource,
  avatarResource,
  commentResource,
  getBirthdays,
  getFeed,
  getLabels,
  getPictures,
  getPresence,
  issueResource,
  userResource,
} = createApi({ urlPrefix: restPrefix, optimistic })
