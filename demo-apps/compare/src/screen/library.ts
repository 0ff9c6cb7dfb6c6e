import type { ComponentType, ReactNode } from 'react'
import type { Counts } from '../counts.js'

// The hooks that the screen needs. Each library implements them in its own way.

export interface Library {
  /** The id of its element in the page. */
  readonly id: 'tanstack' | 'selfsame'
  readonly name: string
  readonly counts: Counts
  readonly Provider: ComponentType<{ readonly children: ReactNode }>
  readonly useArticles: (filter: Filter) => ListReading
  readonly useAuthors: () => readonly User[]
  readonly useArticle: (id: number) => Reading<Article>
  readonly useEdit: (id: number) => Writing<Fields, unknown>
  readonly useCreate: () => Writing<NewArticle, { readonly id: number } | null>
  readonly useDelete: (id: number) => Writing<void, unknown>
  /** Receives the changes of other clients while it is mounted. */
  readonly useLive: (filter: Filter) => void
}

export interface Reading<Data> {
  readonly data: Data | undefined
  readonly error: Error | null | undefined
  readonly retry: () => unknown
}

export interface ListReading extends Reading<readonly ArticleSummary[]> {
  /** True if the data belongs to the previous filter. */
  readonly isOld: boolean
}

export interface Writing<Argument, Result> {
  readonly run: (argument: Argument) => Promise<Result>
  readonly isPending: boolean
  readonly error: Error | null | undefined
}

/** The filters of the list; unused ones are missing. */
export interface Filter {
  readonly author?: number
  /** Text that the title contains. */
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
