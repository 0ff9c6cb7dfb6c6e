import { useSuspense } from 'rest-hooks';
import { Log, Me, Note, Todo } from './api';
import { User } from './plain';

export function Screen({ id }: { id: number }) {
  const todo = useSuspense(Todo.detail(), { id });
  const note = useSuspense(Note.detail(), { id });
  const user = useSuspense(User.detail(), { id: `${id}` });
  const log = useSuspense(Log.detail(), { id });
  const me = useSuspense(Me.detail(), { id });
  return <p>{[todo.title, note.text, user.id, log.id, me.id]}</p>;
}
