/** Enough records to scroll, to search, and to have upcoming birthdays. */
export const applicationSizes = {
  users: 9,
  articles: 60,
  comments: 150,
  todos: 9,
  news: 12,
  birthdays: 90,
  feedItems: 45,
} as const
