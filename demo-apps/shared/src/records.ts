import { Entity } from '@selfsame/core'
import { User } from './user.js'

export class Todo extends Entity {
  id = 0
  userId = 0
  title = ''
  completed = false
  static override readonly key = 'Todo'
}

export class Comment extends Entity {
  id = 0
  postId = 0
  name = ''
  email = ''
  body = ''
  static override readonly key = 'Comment'
}

export class Profile extends Entity {
  id = ''
  fullName = ''
  bio = ''
  static override readonly key = 'Profile'
}

/** The picture of a user, whose `id` it has. */
export class Avatar extends Entity {
  id = 0
  src = ''
  static override readonly key = 'Avatar'
}

export class NewsItem extends Entity {
  id: string | undefined
  title = ''
  url = ''
  previewImage = ''
  static override readonly key = 'NewsItem'
}

export class Birthday extends Entity {
  id: string | undefined
  name = ''
  image = ''
  source = ''
  /** An id in the response; `undefined` until any call has fetched that user. */
  user: User | undefined
  date = new Date(0)
  static override readonly key = 'Birthday'
  static override readonly schema = { date: Date, user: User }
}

/** An item of the feed: a link or a post. */
abstract class FeedItem extends Entity {
  id = 0
}

export class FeedLink extends FeedItem {
  readonly type = 'link'
  url = ''
  title = ''
  static override readonly key = 'FeedLink'
}

export class FeedPost extends FeedItem {
  readonly type = 'post'
  content = ''
  static override readonly key = 'FeedPost'
}
