import { useDLE, useSuspense } from '@selfsame/react';
import { Team, TeamResource } from '@resources/Team';

interface Row {
  moments: number[];
}

export function add(team: Team, row: Row, teams: Team[], others: Row[]) {
  team.moments = [1];
  row.moments = [1];
  teams.reverse();
  others.reverse();
  delete (team as any).moments;
}

export function Screen() {
  const teams = useSuspense(TeamResource.getList);
  const { data } = useDLE(TeamResource.get, { id: '1' });
  const sorted = teams.sort();
  const copy = [...teams].sort();
  const fast = teams.filter(({ moments }) => moments.length < 3).sort();
  data!.moments[0] = 2;
  data.moments.push(3);
  const own = [];
  own.push(data.moments[0]++);
  return [sorted, copy, fast, own];
}
