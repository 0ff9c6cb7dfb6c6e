import { Resource } from '@selfsame/core/legacy'

export class Todo extends Resource {
  id = 0
  title = ''
  completed = false
  static override key = 'Todo'
  static override urlRoot = 'https://api.example.com/todo'
}
