import { casesOf } from '../testing.js'

const core = `import { Entity, EntityMixin } from '@selfsame/core'`
const missing = [{ messageId: 'missing' }]

export default casesOf({
  valid: [
    { code: `${core}\nclass User extends Entity { id = 0; static override key = 'User' }` },
    { name: 'a getter', code: `${core}\nclass User extends Entity { static get key() { return 'User' } }` },
    { name: 'assigned later', code: `${core}\nclass User extends Entity {}\nUser.key = 'User'` },
    {
      name: 'that of a summary, or of an abstract class',
      code: `${core}
        class Summary extends Entity { static override key = 'Article' }
        class Article extends Summary {}
        abstract class Base extends Entity { id = 0 }`,
    },
    {
      name: 'of an own class, or of the options',
      code: `${core}
        class Data { static key = 'Todo' }
        class Todo extends EntityMixin(Data) {}
        class Other extends EntityMixin(Imported) {}
        class User extends EntityMixin(Plain, { key: 'User' }) {}
        class Team extends EntityMixin(Plain, options) {}`,
    },
    {
      name: 'a class of another package',
      code: `import { Entity } from 'typeorm'\nclass User extends Entity {}`,
    },
    { name: 'a class that is imported', code: `import { Base } from './base'\nclass User extends Base {}` },
  ],
  invalid: [
    {
      filename: 'a.ts',
      code: `${core}\nexport class User extends Entity {\n  id = 0 // the key\n  name = ''\n}`,
      errors: missing,
      output: `${core}\nexport class User extends Entity {\n  id = 0 // the key\n  name = ''\n  static override key = 'User'\n}`,
    },
    {
      name: 'of JavaScript, without members, on one line',
      filename: 'a.js',
      code: `${core}\nclass User extends Entity {}\nclass Team extends Entity { id = 0 }`,
      errors: [...missing, ...missing],
      output: `${core}\nclass User extends Entity {\n  static key = 'User'\n}\nclass Team extends Entity { id = 0; static key = 'Team' }`,
    },
    {
      name: 'of GraphQL, by a namespace, and of an abstract base',
      filename: 'a.js',
      code: `
        import * as graphql from '@selfsame/core/graphql'
        class Base extends graphql.GQLEntity {
        }
        class User extends Base {}`,
      errors: missing,
      output: `
        import * as graphql from '@selfsame/core/graphql'
        class Base extends graphql.GQLEntity {
          static key = 'Base'
        }
        class User extends Base {}`,
    },
    {
      name: 'each class of an abstract one',
      filename: 'a.ts',
      code: `${core}
abstract class Base extends Entity {
  id = 0
}
class User extends Base {
  name = ''
}`,
      errors: missing,
      output: `${core}
abstract class Base extends Entity {
  id = 0
}
class User extends Base {
  name = ''
  static override key = 'User'
}`,
    },
    {
      name: 'a class without a name',
      code: `${core}\nexport const make = () => class extends Entity {}`,
      errors: missing,
    },
    {
      name: 'a mixed-in class',
      filename: 'a.js',
      code: `${core}\nclass Data { id = 0 }\nclass Todo extends EntityMixin(Data, { pk: 'id' }) {}`,
      errors: missing,
      output: `${core}\nclass Data { id = 0 }\nclass Todo extends EntityMixin(Data, { pk: 'id' }) {\n  static key = 'Todo'\n}`,
    },
  ],
})
