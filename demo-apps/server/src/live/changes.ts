import { z } from 'zod'
import { ArticleStore } from '../article-store.js'
import { IssueStore } from '../issue-store.js'
import type { Database } from '../database.js'
import { todoTable } from '../routes/todo.js'
import { userTable } from '../routes/user.js'
import type { Row } from '../table.js'

export type ChangeKind = 'article' | 'todo' | 'user' | 'issue' | 'activity'

/** A record that a client created, updated or deleted, by any route. */
export interface Change {
  readonly kind: ChangeKind
  readonly type: 'created' | 'updated' | 'deleted'
  /** The current record, articles and issues with full users; for a deleted record its id. */
  readonly record: Row
}

export const changeKinds = ['article', 'todo', 'user', 'issue', 'activity'] as const

const notification = z.object({
  kind: z.enum(changeKinds),
  type: z.enum(['insert', 'update', 'delete']),
  id: z.int(),
})

const typeOf = { insert: 'created', update: 'updated', delete: 'deleted' } as const

/** Publishes changes of the database, as Postgres notifies of them when a transaction is committed. */
export class Changes {
  readonly #database: Database
  readonly #readers: Readonly<Record<ChangeKind, (id: number) => Promise<Row | undefined>>>
  readonly #listeners = new Set<(change: Change) => void>()
  /** Records are read one after the other, to publish changes in order. */
  #last = Promise.resolve()

  private constructor(database: Database) {
    this.#database = database
    const articles = new ArticleStore(database)
    const issues = new IssueStore(database)
    const todos = todoTable(database)
    const users = userTable(database)
    this.#readers = {
      article: async (id) => {
        const article = await articles.detail(id)
        return article && (await articles.expand([article], ['author', 'contributors']))[0]
      },
      todo: (id) => todos.find(id),
      user: (id) => users.find(id),
      issue: (id) => issues.find(id),
      activity: (id) => issues.findActivity(id),
    }
  }

  /** @param database - already seeded, so that the seed does not count as changes */
  static async watch(database: Database): Promise<Changes> {
    const changes = new Changes(database)
    await database.exec(triggers)
    await database.listen('changes', (payload) => changes.#heard(payload))
    return changes
  }

  /** @returns a function that ends it */
  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Runs an action without publishing its changes. */
  async quietly(action: () => Promise<void>): Promise<void> {
    await this.#database.exec(setTriggers('disable'))
    try {
      await action()
    } finally {
      await this.#database.exec(setTriggers('enable'))
    }
  }

  #heard(payload: string): void {
    const { kind, type, id } = notification.parse(JSON.parse(payload))
    if (this.#listeners.size === 0) return
    const tell = async () => {
      const record = type === 'delete' ? { id } : await this.#readers[kind](id)
      // The record is deleted by now; the next message says so.
      if (record === undefined) return
      for (const listener of this.#listeners) listener({ kind, type: typeOf[type], record })
    }
    // The database was closed meanwhile.
    this.#last = this.#last.then(tell).catch(() => {})
  }
}

// Postgres sends equal notifications of one transaction once.
const triggers = `
  create function tell_change() returns trigger language plpgsql as $$
    begin
      perform pg_notify('changes', json_build_object(
        'kind', tg_argv[0], 'type', lower(tg_op), 'id', coalesce(new.id, old.id)
      )::text);
      return null;
    end
  $$;
  create function tell_contributors() returns trigger language plpgsql as $$
    begin
      perform pg_notify('changes', json_build_object(
        'kind', 'article', 'type', 'update', 'id', coalesce(new.article, old.article)
      )::text);
      return null;
    end
  $$;
  create function tell_issue() returns trigger language plpgsql as $$
    begin
      perform pg_notify('changes', json_build_object('kind', 'issue', 'id', new.id, 'type', case
        when tg_op = 'INSERT' or (new."deletedAt" is null and old."deletedAt" is not null) then 'insert'
        when new."deletedAt" is not null then 'delete'
        else 'update'
      end)::text);
      return null;
    end
  $$;
  create trigger tell after insert or update on issues for each row execute function tell_issue();
  create trigger tell after insert on activities for each row execute function tell_change('activity');
  create trigger tell after insert or update or delete on articles for each row execute function tell_change('article');
  create trigger tell after insert or update or delete on todos for each row execute function tell_change('todo');
  create trigger tell after insert or update or delete on users for each row execute function tell_change('user');
  create trigger tell after insert or delete on contributors for each row execute function tell_contributors();
`

function setTriggers(action: 'enable' | 'disable'): string {
  return ['articles', 'todos', 'users', 'contributors', 'issues', 'activities']
    .map((table) => `alter table ${table} ${action} trigger tell;`)
    .join('\n')
}
