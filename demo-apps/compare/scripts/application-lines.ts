import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import ts from 'typescript'

/** The features of the applications, and the names of their files, which are nearly equal in all. */
const features: Readonly<Record<string, readonly string[]>> = {
  'set up, server rendering': ['main', 'app', 'App', 'Frame', 'entry-server'],
  'sign-in, sign-out, current user': [
    ...['session', 'resources', 'navigation', 'router', 'SignInScreen', 'SignedInOnly', 'UserOnTheWay'],
    ...['Account', 'CurrentUser', 'SmallAvatar', 'UserPicture'],
  ],
  'list, filters, search, pages': [
    ...['ArticlesScreen', 'ArticleFilters', 'ArticleList', 'EndOfList', 'in-view', 'AuthorSelect'],
    ...['HomeScreen', 'LatestArticles'],
  ],
  'prefetch on hover': ['ArticleLink', 'Banner', 'Navigation'],
  'article, live views': ['ArticleScreen', 'ArticleDetail', 'ArticleFailed'],
  comments: ['Comments', 'CommentSection', 'CommentList', 'CommentForm'],
  'edit, optimistic, with rollback': ['EditArticleScreen', 'EditArticle'],
  create: ['NewArticleScreen', 'NewArticle'],
  delete: ['DeleteArticle'],
  'issues: board, list, filters': [
    ...['BoardScreen', 'IssueBoard', 'BoardColumn', 'IssuesScreen', 'IssueList', 'IssueFilters', 'params'],
    ...[
      'NewIssueButton',
      'LoadingIssues',
      'LoadingBoard',
      'IssueParts',
      'IssueLink',
      'IssueCard',
      'IssueRow',
    ],
    ...['ChoiceIcon', 'UserPortrait'],
  ],
  'an issue: fields, presence, activity': [
    ...['IssueScreen', 'IssueDetail', 'IssueText', 'IssueFields', 'IssueViewers'],
    ...['ActivitySection', 'ActivityList', 'ActivityRow', 'RemarkForm'],
  ],
  'people, renamed everywhere': ['PeopleScreen', 'PeopleList', 'PersonRow'],
  'commands, new issue': [
    ...['Dialogs', 'TrackerDialogs', 'ModalDialog', 'CommandPalette', 'NewIssue', 'ShortcutHelp'],
  ],
  'feed of several kinds': ['FeedScreen', 'Feed', 'FeedList'],
  'birthdays, joined': ['BirthdaysScreen', 'Birthdays', 'BirthdayList'],
  'gallery of decoded pictures': ['GalleryScreen', 'Pictures', 'PictureList', 'Picture', 'DecodedImage'],
  'profile, upload with progress': ['ProfileScreen', 'Profile', 'UserProfile', 'Avatar', 'AvatarUpload'],
  GraphQL: ['GraphQLScreen', 'QueriedArticles', 'GraphQLList', 'RenameForm'],
  'panel of devtools': ['panel', 'Panel'],
  'offline banner, errors': ['OfflineNotice', 'Problem', 'caught-errors'],
}

/** Lines of an application by feature, in the order of the features. */
export type ApplicationLines = ReadonlyMap<string, number>

/**
 * Counts the lines of data code of an application.
 *
 * @param folder - the application's folder in `demo-apps`
 * @throws if a file with data code belongs to no feature
 */
export async function linesOfApplication(folder: string): Promise<ApplicationLines> {
  const root = join(import.meta.dirname, '../..', folder, 'src')
  const lines = new Map(Object.keys(features).map((feature) => [feature, 0]))
  for (const file of await readdir(root, { recursive: true })) {
    if (!['.ts', '.tsx', '.vue', '.svelte'].includes(extname(file))) continue
    const count = countDataLines(scriptOf(file, await readFile(join(root, file), 'utf8')))
    if (count === 0) continue
    const feature = featureOf(file)
    if (feature === undefined)
      throw new Error(`${folder}/src/${file} has data code, and belongs to no feature.`)
    lines.set(feature, (lines.get(feature) ?? 0) + count)
  }
  return lines
}

/** The folders of all applications. */
export function applicationFolders(): string[] {
  return ['react', 'vue', 'svelte'].filter((folder) =>
    existsSync(join(import.meta.dirname, '../..', folder, 'application.test.ts')),
  )
}

function featureOf(file: string): string | undefined {
  const [name = ''] = basename(file).split('.')
  return Object.keys(features).find((feature) => features[feature]?.includes(name))
}

function scriptOf(file: string, source: string): string {
  if (!/\.(vue|svelte)$/.test(file)) return source
  return /<script[^>]*>([\s\S]*?)<\/script>/.exec(source)?.[1] ?? ''
}

/** Imports from these modules count as data code, except the words that screens use. */
const dataModules = /^@selfsame\/(core|react|vue|svelte|demo-shared\/application)|\/resources(\.js)?$/
const words =
  /^(format\w+|problemOf|announce|notices|AsyncBoundary|dialogs|shortcuts|(state|priority|number|portrait|deed|icon|issueFilter|issueOrder)Of|issue(States|Priorities|Orders)|inOrder|inState|operateBoard|listenForShortcuts|waitingText)$/

/**
 * Counts the lines of the statements that use an import from Selfsame or the API, or the Controller. Imports, types
 * and markup are not counted, except hooks that are called in markup.
 */
export function countDataLines(script: string): number {
  const file = ts.createSourceFile('script.tsx', script, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const names = new Set(['controller', '#controller', ...file.statements.flatMap(importedNames)])
  const counted = new Set<number>()
  const count = (node: ts.Node) => {
    const first = file.getLineAndCharacterOfPosition(node.getStart()).line
    const last = file.getLineAndCharacterOfPosition(node.end).line
    for (let line = first; line <= last; line++) counted.add(line)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return
    const isName = ts.isIdentifier(node) || ts.isPrivateIdentifier(node)
    if (isName && names.has(node.text) && !isPropertyName(node)) {
      const holder = holderOf(node)
      if (!isMarkup(holder) || /^use[A-Z]/.test(node.text)) count(isMarkup(holder) ? node : holder)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  const lines = script.split('\n')
  return [...counted].filter((line) => !/^\s*(\/\/|\/?\*|$)/.test(lines[line] ?? '')).length
}

function importedNames(statement: ts.Statement): string[] {
  if (!ts.isImportDeclaration(statement) || statement.importClause?.isTypeOnly) return []
  if (!ts.isStringLiteral(statement.moduleSpecifier) || !dataModules.test(statement.moduleSpecifier.text))
    return []
  const bindings = statement.importClause?.namedBindings
  if (bindings === undefined || !ts.isNamedImports(bindings)) return []
  return bindings.elements
    .filter((element) => !element.isTypeOnly && !words.test(element.name.text))
    .map((element) => element.name.text)
}

/** `a.controller` and `{ controller: 1 }` name a property. */
function isPropertyName({ parent }: ts.Node & { readonly text: string }): boolean {
  return ts.isPropertyAssignment(parent)
}

/** The statement, condition or markup that contains a name. */
function holderOf(node: ts.Node): ts.Node {
  let holder = node
  while (!isMarkup(holder) && !ts.isStatement(holder.parent) && !ts.isClassElement(holder.parent)) {
    holder = holder.parent
  }
  const { parent } = holder
  if (isMarkup(holder) || ts.isIfStatement(parent) || ts.isClassElement(parent)) return holder
  return parent
}

function isMarkup(node: ts.Node): boolean {
  return ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node)
}
