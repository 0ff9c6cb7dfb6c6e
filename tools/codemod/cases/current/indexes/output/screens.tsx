import { useQuery } from '@selfsame/react';
import { passedOn, User } from './user';

export function Name({ email }: { email: string }) {
  const user = useQuery(User, { email });
  const again = useQuery(User, { email });
  return <p title={again?.id}>{user?.id}{read(passedOn)}</p>;
}
