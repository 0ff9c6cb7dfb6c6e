import {
  Article as WrittenArticle,
  articleResource as written,
} from './api/index.js'

export class Article extends WrittenArticle {
  get isPublic() {
    return this.status === 'published'
  }
}

export const articleResource = {
  ...written,
  get: written.get.extend({ schema: Article }),
}
