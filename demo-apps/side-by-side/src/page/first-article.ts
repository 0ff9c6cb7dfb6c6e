import { articleResource, controller } from '../api.js'
import { findArticles } from '../articles.js'
import { showEverywhere } from './address.js'

/** Shows the newest article in all panes, when the list is there and no pane shows another. */
export function showFirstArticle(panes: readonly string[]): void {
  const end = controller.subscribe(articleResource.getList, ({ data }) => {
    const [newest] = findArticles(data ?? [], '')
    if (newest === undefined) return
    end()
    showEverywhere(panes, newest.id)
  })
}
