import {
  birthdaysWithin,
  formatDate,
  formatDaysAway,
  getBirthdays,
  today,
  userResource,
} from '@selfsame/demo-shared/application'
import { AsyncBoundary, useQuery, useSuspenseAll } from '@selfsame/react'
import { useState } from 'react'
import { Heading } from '../parts/Heading.js'
import { LoadingRows } from '../parts/Loading.js'
import { Failed } from '../parts/Problem.js'

export function BirthdaysScreen() {
  const [days, setDays] = useState(7)
  return (
    <>
      <Heading>Upcoming birthdays</Heading>
      <p className="lead">Two calls, joined in the cache: rename a person, and look here.</p>
      <fieldset className="choice" role="radiogroup">
        <legend>Show</legend>
        {[7, 30].map((count) => (
          <label key={count}>
            <input type="radio" name="days" checked={days === count} onChange={() => setDays(count)} />
            {`${count} days`}
          </label>
        ))}
      </fieldset>
      <AsyncBoundary fallback={<LoadingRows count={3} />} errorFallback={Failed}>
        <Birthdays days={days} />
      </AsyncBoundary>
    </>
  )
}

/** The response contains ids of users, which another call fetches. The cache joins them. */
function Birthdays({ days }: { readonly days: number }) {
  useSuspenseAll([[getBirthdays], [userResource.getList]])
  const birthdays = useQuery(birthdaysWithin, { days, from: today() }) ?? []
  if (birthdays.length === 0) return <p>Nobody has a birthday in this period.</p>
  return (
    <ul aria-label="Birthdays" className="list">
      {birthdays.map(({ id, name, email, date, daysAway }) => (
        <li key={id} className="row">
          <h2>{name}</h2>
          <p className="facts">
            {formatDate(date)}, {formatDaysAway(daysAway)} · {email}
          </p>
        </li>
      ))}
    </ul>
  )
}
