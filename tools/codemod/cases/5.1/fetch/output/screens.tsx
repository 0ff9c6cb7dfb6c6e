import { useSuspense } from '@selfsame/react';
import { Log, Me, noteResource, todoResource } from './api';
import { userResource } from './plain';

export function Screen({ id }: { id: number }) {
  const todo = useSuspense(todoResource.get, { id });
  const note = useSuspense(noteResource.get, { id });
  const user = useSuspense(userResource.get, { id: `${id}` });
  const log = useSuspense(Log.detail(), { id });
  const me = useSuspense(Me.detail(), { id });
  return <p>{[todo.title, note.text, user.id, log.id, me.id]}</p>;
}
