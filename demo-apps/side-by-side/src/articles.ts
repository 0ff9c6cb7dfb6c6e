import type { ArticleSummary, User } from '@selfsame/demo-shared'

// Functions of articles for all panes.

/** The articles whose title or author contains a text, newest first. */
export function findArticles(articles: readonly ArticleSummary[], text: string): ArticleSummary[] {
  const wanted = text.trim().toLowerCase()
  return articles
    .filter(({ title, author }) => `${title} ${author?.name ?? ''}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
}

/** Everyone who wrote one of the articles, by name. */
export function authorsOf(articles: readonly ArticleSummary[]): User[] {
  const authors = new Set(articles.flatMap(({ author }) => author ?? []))
  return [...authors].toSorted((a, b) => a.name.localeCompare(b.name))
}

/** The id of the one article of a list that Tab reaches: the one on show, or else the first. */
export function tabStopOf(
  articles: readonly ArticleSummary[],
  selectedId: number | undefined,
): number | undefined {
  return articles.some(({ id }) => id === selectedId) ? selectedId : articles[0]?.id
}
