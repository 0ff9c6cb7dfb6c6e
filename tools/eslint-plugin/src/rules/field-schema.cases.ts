import { casesOf } from '../testing.js'

const user = `import { Entity, schema } from '@selfsame/core'
class User extends Entity {
  id = 0
  static override key = 'User'
}
`
const record = { messageId: 'record' }
const value = { messageId: 'value' }

export default casesOf({
  valid: [
    {
      name: 'fields with a schema, and fields of JSON',
      filename: 'a.ts',
      code: `${user}
        class Article extends Entity {
          id = 0
          tags: string[] = []
          author: User | null = null
          contributors: readonly User[] = []
          createdAt = new Date(0)
          authorId: number | undefined
          static override schema = { author: User, contributors: [User], createdAt: Date }
        }`,
    },
    {
      name: 'a schema that is inherited, assigned later, or made elsewhere',
      filename: 'a.ts',
      code: `${user}
        class Base extends Entity { author: User | undefined; static override schema: EntityFields = { author: User } }
        class Article extends Base { override author: User | undefined }
        class Late extends Entity { author: User | undefined }
        Late.schema = { author: User }
        class Made extends Entity { author: User | undefined; static override schema = makeSchema() }
        class Spread extends Entity { author: User | undefined; static override schema = { ...fields } }`,
    },
    {
      name: 'a payload that is changed first, types of several kinds, and classes that are no Entity',
      filename: 'a.ts',
      code: `${user}
        class A extends Entity { at = new Date(0); static override process(input) { return { ...input, at: new Date(input.at) } } }
        class B extends Entity { at: Date | string = ''; owner: User | Team | null = null; parse: () => User = f }
        class C { author: User | undefined; at = new Date() }
        class D extends Entity { static cache: User | undefined; imported: Team | undefined; money: Money | undefined }
        class Money {}`,
    },
    {
      name: 'a Date that is a class of the file',
      filename: 'a.ts',
      code: `${user}import { Date } from './date'\nclass A extends Entity { at = new Date() }`,
    },
  ],
  invalid: [
    {
      name: 'adds a schema',
      filename: 'a.ts',
      code: `${user}
class Article extends Entity {
  id = 0
  author: User | undefined
  static override key = 'Article'
}`,
      errors: [record],
      output: `${user}
class Article extends Entity {
  id = 0
  author: User | undefined
  static override key = 'Article'
  static override schema = { author: User }
}`,
    },
    {
      name: 'adds to a schema',
      filename: 'a.ts',
      code: `${user}
class Article extends Entity {
  author: User | null = null
  createdAt = new Date(0)
  static override schema = { author: User }
}
class Empty extends Entity {
  static override schema = {}
  readers: ReadonlyArray<User> = []
}`,
      errors: [value, record],
      output: `${user}
class Article extends Entity {
  author: User | null = null
  createdAt = new Date(0)
  static override schema = { author: User, createdAt: Date }
}
class Empty extends Entity {
  static override schema = { readers: [User] }
  readers: ReadonlyArray<User> = []
}`,
    },
    {
      name: 'keeps a schema that is inherited',
      filename: 'a.ts',
      code: `${user}
class Base extends Entity {
  author?: User
  static override schema = { author: User }
}
class Article extends Base {
  editor = User.fromJS()
}`,
      errors: [record],
      output: `${user}
class Base extends Entity {
  author?: User
  static override schema = { author: User }
}
class Article extends Base {
  editor = User.fromJS()
  static override schema = { ...Base.schema, editor: User }
}`,
    },
    {
      name: 'in JavaScript',
      filename: 'a.js',
      code: `import { Entity } from '@selfsame/core'
class User extends Entity {
  static key = 'User'
}
class Article extends Entity {
  author = new User()
  static key = 'Article'
}`,
      errors: [record],
      output: `import { Entity } from '@selfsame/core'
class User extends Entity {
  static key = 'User'
}
class Article extends Entity {
  author = new User()
  static key = 'Article'
  static schema = { author: User }
}`,
    },
    {
      name: 'a class that is declared further down, or the class itself, is left to be written by hand',
      filename: 'a.ts',
      code: `import { Entity } from '@selfsame/core'
class Article extends Entity { author: User | undefined; parent: Article | undefined }
class User extends Entity {}`,
      errors: [record, record],
    },
  ],
})
