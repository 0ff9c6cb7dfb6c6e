import { casesOf } from '../testing.js'

const start = `import { Entity, schema } from '@selfsame/core'\n`
const missing = [{ messageId: 'missing' }]

export default casesOf({
  valid: [
    {
      name: 'with nestKey',
      code: `${start}
        const comments = new schema.Collection([Comment], { nestKey: (issue) => ({ issueId: issue.id }) })
        class Issue extends Entity { static schema = { comments } }
        const add = new RestEndpoint({ path: '/comment', method: 'POST', schema: comments.push })`,
    },
    {
      name: 'that nothing adds to',
      code: `${start}
        class Issue extends Entity { static schema = { comments: new schema.Collection([Comment]) } }
        issue.comments.push(comment)
        const add = new RestEndpoint({ path: '/comment', method: 'POST', schema: other.push })`,
    },
    {
      name: 'that is no field',
      code: `${start}
        const todos = new schema.Collection([Todo])
        const add = getTodos.extend({ method: 'POST', schema: todos.push })
        const page = getTodos.extend({ schema: { results: todos } })`,
    },
    {
      name: 'with options that are made elsewhere',
      code: `${start}
        const comments = new schema.Collection([Comment], options)
        class Issue extends Entity { static schema = { comments } }
        const add = new RestEndpoint({ schema: comments.push })`,
    },
  ],
  invalid: [
    {
      name: 'by the name of a variable',
      code: `${start}
        const comments = new schema.Collection([Comment])
        class Issue extends Entity { static schema = { comments } }
        const add = new RestEndpoint({ path: '/comment', method: 'POST', schema: comments.push })`,
      errors: missing,
    },
    {
      name: 'by the schema of the class',
      code: `${start}
        class Issue extends Entity { static schema = { list: new schema.Collection([Comment], { argsKey: () => ({}) }) } }
        const add = getComments.extend({ method: 'POST', schema: Issue.schema.list.unshift })`,
      errors: missing,
    },
  ],
})
