import { useCache } from '@rest-hooks/react';
import { passedOn, userIndex } from './user';

export function Name({ email }: { email: string }) {
  const user = useCache(userIndex, { email });
  const again = useCache(userIndex, { email });
  return <p title={again?.id}>{user?.id}{read(passedOn)}</p>;
}
