/** The records of the REST API. Their ids are numbers here too, so that both APIs return equal records. */
export const typeDefs = /* GraphQL */ `
  type User {
    id: Int!
    name: String!
    isAdmin: Boolean!
    email: String!
    website: String!
  }

  type Article {
    id: Int!
    title: String!
    content: String!
    "A date and time, as in 2023-01-09T11:14:00.000Z."
    createdAt: String!
    author: User
    contributors: [User!]!
  }

  type Todo {
    id: Int!
    userId: Int!
    title: String!
    completed: Boolean!
  }

  "A record that is not there any more."
  type Deleted {
    id: Int!
  }

  type Query {
    users(limit: Int = 100, offset: Int = 0): [User!]!
    user(id: Int!): User
    "By author, and by text in the title."
    articles(author: Int, q: String, limit: Int = 100, offset: Int = 0): [Article!]!
    article(id: Int!): Article
    todos(userId: Int, completed: Boolean, limit: Int = 100, offset: Int = 0): [Todo!]!
  }

  "References go by id."
  input NewArticle {
    title: String!
    content: String!
    author: Int
    contributors: [Int!]
  }

  "What is left out stays as it is."
  input ArticleChange {
    title: String
    content: String
    author: Int
    contributors: [Int!]
  }

  input NewTodo {
    userId: Int!
    title: String
    completed: Boolean
  }

  input TodoChange {
    userId: Int
    title: String
    completed: Boolean
  }

  type Mutation {
    createArticle(input: NewArticle!): Article!
    updateArticle(id: Int!, input: ArticleChange!): Article!
    deleteArticle(id: Int!): Deleted!
    createTodo(input: NewTodo!): Todo!
    updateTodo(id: Int!, input: TodoChange!): Todo!
    deleteTodo(id: Int!): Deleted!
  }
`
