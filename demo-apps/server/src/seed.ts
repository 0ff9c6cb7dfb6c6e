import type { Database, Queryable } from './database.js'
import { issueLabels, issueRemarks, issueReports, issueSteps, issues as issueWords } from './issue-words.js'
import * as words from './words.js'

/** The number of records of each kind. Each user has one profile. */
export interface SeedSizes {
  /** At least 1: articles and todos belong to users. */
  readonly users: number
  /** At least 1: comments belong to articles. */
  readonly articles: number
  readonly comments: number
  readonly todos: number
  readonly news: number
  readonly birthdays: number
  readonly feedItems: number
  readonly issues: number
}

const fullSizes: SeedSizes = {
  users: 1_000,
  articles: 10_000,
  comments: 50_000,
  todos: 2_000,
  news: 200,
  birthdays: 240,
  feedItems: 500,
  issues: issueWords.length,
}

/** @throws {RangeError} when a size is negative, fractional, or 0 for users or articles */
export function toSeedSizes(sizes: Partial<SeedSizes> = {}): SeedSizes {
  const complete = { ...fullSizes, ...sizes }
  for (const [name, size] of Object.entries(complete)) {
    const least = name === 'users' || name === 'articles' ? 1 : 0
    if (Number.isInteger(size) && size >= least) continue
    throw new RangeError(`The seed size of ${name} is ${size}. Use a whole number from ${least}.`)
  }
  return complete
}

/**
 * Replaces all rows by the seeded ones, the same on each run. Every value depends only on
 * its row's number and on `sizes`.
 */
export async function seed(database: Database, sizes: SeedSizes): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.exec(`
      truncate ${allTables} restart identity;
      truncate deleted_articles;
      ${seededNumber}
      ${people(sizes)}
      ${todos(sizes)}
      ${articles(sizes)}
      ${comments(sizes)}
      ${news(sizes)}
      ${birthdays(sizes)}
      ${feedItems(sizes)}
      ${issues(sizes)}
      analyze ${allTables};
    `)
    await continueIds(transaction, sizes)
  })
}

const allTables =
  'users, avatars, profiles, todos, articles, contributors, article_meta, comments, news, birthdays, feed_items, labels, issues, activities'

// Spreads row numbers evenly over 0 … below - 1; each salt gives another spread.
const seededNumber = `
  create or replace function seeded(n integer, salt integer, below integer) returns integer
  immutable language sql as $$
    select ((hashint4extended(n, salt) & 2147483647) % below)::integer
  $$;
`

// The fragments below read the row's number from a column "n".
function oneOf(list: readonly string[], salt: number): string {
  return `(array[${list.map(literal).join(', ')}])[1 + seeded(n, ${salt}, ${list.length})]`
}

function literal(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}

function sentence(salt: number): string {
  return `${oneOf(words.subjects, salt)} || ' ' || ${oneOf(words.verbs, salt + 1)} || ' ' || ${oneOf(words.objects, salt + 2)} || '.'`
}

function people({ users }: SeedSizes): string {
  return `
    insert into users (id, name, "isAdmin", email, website)
    select n, first || ' ' || last, n % 50 = 0, mail || n || '@example.com', 'https://' || mail || n || '.example.com'
    from (
      select n, first, last, regexp_replace(translate(lower(first || last), 'éøëñü', 'eoenu'), '[^a-z]', '', 'g') as mail
      from (
        select n, ${oneOf(words.firstNames, 1)} as first, ${oneOf(words.lastNames, 2)} as last
        from generate_series(1, ${users}) n
      ) names
    ) people;

    insert into profiles (id, "fullName", bio)
    select n, name, ${oneOf(words.bioOpenings, 3)} || ' ' || ${oneOf(words.topics, 4)} || ' and ' || ${oneOf(words.objects, 5)} || '.'
    from (select id as n, name from users) people;
  `
}

// A hundred users share the todos, so that a single user's list is worth looking at.
function todos({ users, todos: size }: SeedSizes): string {
  return `
    insert into todos (id, "userId", title, completed)
    select n, 1 + (n - 1) % ${Math.min(users, 100)},
      ${oneOf(words.todoVerbs, 10)} || ' ' || ${oneOf(words.todoObjects, 11)}, seeded(n, 12, 3) = 0
    from generate_series(1, ${size}) n;
  `
}

function articles({ users, articles: size }: SeedSizes): string {
  return `
    insert into articles (id, title, content, "createdAt", author)
    select n, ${oneOf(words.titleOpenings, 20)} || ' ' || ${oneOf(words.topics, 21)} || ' ' || ${oneOf(words.titleEndings, 22)},
      ${sentence(23)} || ' ' || ${sentence(26)} || ' ' || ${sentence(29)} || E'\\n\\n' || ${sentence(32)} || ' ' || ${sentence(35)},
      timestamptz '2023-01-09 08:00:00Z' + n * interval '97 minutes',
      case when n % 25 <> 0 then 1 + seeded(n, 38, ${users}) end
    from generate_series(1, ${size}) n;

    insert into contributors (article, contributor, position)
    select n, 1 + (seeded(n, 39, ${users}) + position) % ${users}, position
    from generate_series(1, ${size}) n, generate_series(1, 3) position
    where position <= seeded(n, 40, 4)
    on conflict do nothing;

    insert into article_meta (id, "viewCount", "likeCount", "relatedArticles")
    select n, views, views * seeded(n, 41, 30) / 100,
      array[1 + (n + 36) % ${size}, 1 + (n + 211) % ${size}, 1 + (n + 1448) % ${size}]
    from (select n, 20 + seeded(n, 42, 9000) as views from generate_series(1, ${size}) n) counted;
  `
}

// The first comments go one to each article, so that none of them is without.
function comments({ users, articles: articleCount, comments: size }: SeedSizes): string {
  return `
    insert into comments (id, "postId", name, email, body)
    select n, case when n <= ${articleCount} then n else 1 + seeded(n, 50, ${articleCount}) end,
      ${oneOf(words.commentNames, 51)}, users.email, ${oneOf(words.commentOpenings, 52)} || ' ' || ${sentence(53)}
    from generate_series(1, ${size}) n
    join users on users.id = 1 + seeded(n, 56, ${users});
  `
}

function news({ news: size }: SeedSizes): string {
  return `
    insert into news (id, title, url, "previewImage")
    select n, ${oneOf(words.newsOpenings, 60)} || ' ' || ${oneOf(words.topics, 61)},
      'https://news.example.com/' || n, '/images/news-' || n || '.svg'
    from generate_series(1, ${size}) n;
  `
}

// Spread over the whole year, so that some are always near.
function birthdays({ users, birthdays: size }: SeedSizes): string {
  return `
    insert into birthdays (id, name, image, source, "user", month, day)
    select n, users.name, '/images/birthday-' || n || '.svg', 'https://people.example.com/' || n, users.id,
      extract(month from date), extract(day from date)
    from (select n, date '2023-01-01' + (n - 1) * 365 / ${size} as date from generate_series(1, ${size}) n) days
    join users on users.id = 1 + (n - 1) % ${users};
  `
}

function feedItems({ feedItems: size }: SeedSizes): string {
  const isLink = 'seeded(n, 80, 5) < 2'
  return `
    insert into feed_items (id, type, url, title, content)
    select n, case when ${isLink} then 'link' else 'post' end,
      case when ${isLink} then 'https://links.example.com/' || n end,
      case when ${isLink} then ${oneOf(words.titleOpenings, 81)} || ' ' || ${oneOf(words.topics, 82)} end,
      case when not ${isLink} then ${sentence(83)} end
    from generate_series(1, ${size}) n;
  `
}

/** The users who have issues: a team, however many users there are. */
const teamSize = 8

function issues({ users, issues: size }: SeedSizes): string {
  const team = Math.min(users, teamSize)
  const person = (salt: number) => `1 + seeded(n, ${salt}, ${team})`
  const labels = issueLabels.map(({ name, color }, index) => `(${index + 1}, '${name}', '${color}')`)
  const rows = Array.from({ length: size }, (_, index) => ({
    index,
    ...issueWords.at(index % issueWords.length),
  })).map(({ index, state, priority, labels: names = [], title = '' }) => {
    const ids = names.map((name) => issueLabels.findIndex((label) => label.name === name) + 1)
    return `(${index + 1}, ${literal(title)}, '${state}', '${priority}', array[${ids.join(', ')}])`
  })
  if (rows.length === 0) rows.push(`(0, '', '', '', array[]::integer[])`)
  return `
    insert into labels (id, name, color) values ${labels.join(', ')};

    insert into issues (id, title, body, state, priority, labels, author, assignee, "createdAt", "updatedAt")
    select n, title, ${oneOf(issueReports, 90)} || E'\\n\\n' || ${oneOf(issueSteps, 91)}, state, priority, labels, ${person(92)},
      case when state in ('in-progress', 'done') or seeded(n, 93, 3) > 0 then ${person(94)} end,
      timestamptz '2026-01-05 08:00:00Z' + n * interval '19 hours', timestamptz '2026-03-05 08:00:00Z' + n * interval '7 hours'
    from (values ${rows.join(', ')}) as seeds (n, title, state, priority, labels) where n > 0;

    insert into activities (issue, kind, actor, "from", "to", assignee, body, "createdAt")
    select n, kind, actor, earlier, later, subject, body, at from (
      select id as n, 0 as place, 'created' as kind, author as actor, null as earlier, null as later, null::integer as subject, '' as body, "createdAt" as at from issues
      union all
      select id, 1, 'assignee', author, null, assignee::text, assignee, '', "createdAt" + interval '2 hours' from issues where assignee is not null
      union all
      select n, 1 + place, 'comment', 1 + seeded(n * 31 + place, 95, ${team}), null, null, null, ${oneOf(issueRemarks, 96).replaceAll('seeded(n,', 'seeded(n * 31 + place,')}, "createdAt" + (2 + place) * interval '5 hours'
      from (select id as n, place, "createdAt" from issues, generate_series(1, 16) place where place <= case id % 12 when 7 then 16 else seeded(id, 97, 5) end) remarks
      union all
      select id, 20, 'state', assignee, 'todo', state, null, '', "updatedAt" from issues where state in ('in-progress', 'done')
    ) happened order by at, n, place;
  `
}

async function continueIds(queryable: Queryable, sizes: SeedSizes): Promise<void> {
  const last = { ...sizes, profiles: sizes.users, feed_items: sizes.feedItems, labels: issueLabels.length }
  const tables = [
    'users',
    'profiles',
    'todos',
    'articles',
    'comments',
    'news',
    'birthdays',
    'feed_items',
    'labels',
    'issues',
  ] as const
  await queryable.exec(
    tables.map((table) => `alter table ${table} alter id restart with ${last[table] + 1};`).join('\n'),
  )
}
