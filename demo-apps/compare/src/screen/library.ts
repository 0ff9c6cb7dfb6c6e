import type { ComponentType, ReactNode } from 'react'
import type { Counts } from '../counts.js'

// What the screen needs of a library, by hooks that each library writes in its own way.

export interface Library {
  readonly name: string
  readonly counts: Counts
  readonly Provider: ComponentType<{ readonly children: ReactNode }>
  readonly useArticles: (filter: Filter) => ListReading
  readonly useAuthors: () => readonly User[]
  readonly useArticle: (id: number) => Reading<Article>
  readonly useEdit: (id: number) => Writing<Fields, unknown>
  readonly useCreate: () => Writing<NewArticle, { readonly id: number } | null>
  readonly useDelete: (id: number) => Writing<void, unknown>
  /** Follows changes that others make, while it is mounted. */
  readonly useLive: (filter: Filter) => void
}

export interface Reading<Data> {
  readonly data: Data | undefined
  readonly error: Error | null | undefined
  readonly retry: () => unknown
}

export interface ListReading extends Reading<readonly ArticleSummary[]> {
  /** Whether the data is that of the filter before. */
  readonly isOld: boolean
}

export interface Writing<Argument, Result> {
  readonly run: (argument: Argument) => Promise<Result>
  readonly isPending: boolean
  readonly error: Error | null | undefined
}

/** Only what is filtered by is there. */
export interface Filter {
  readonly author?: number
  /** A text of the title. */
  readonly q?: string
}

export interface User {
  readonly id: number
  readonly name: string
}

export interface ArticleSummary {
  readonly id: number
  readonly title: string
  readonly createdAt: Date | string
  readonly author: User | null
}

export interface Article extends ArticleSummary {
  readonly content: string
}

export interface Fields {
  readonly title: string
  readonly content: string
}

export interface NewArticle extends Fields {
  /** The id of a user. */
  readonly author: number | null
}
