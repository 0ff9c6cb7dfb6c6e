import { AsyncBoundary, useSuspense } from '@selfsame/react'
import { Heading } from '../parts/Heading.js'
import { Loading } from '../parts/Loading.js'
import { Failed } from '../parts/Problem.js'
import { SignedInOnly } from '../parts/SignedInOnly.js'
import { accountHooks, avatarHooks } from '../resources.js'
import { AvatarUpload } from './AvatarUpload.js'

export function ProfileScreen() {
  return (
    <SignedInOnly>
      <Profile />
    </SignedInOnly>
  )
}

function Profile() {
  const { id, name, email, website } = useSuspense(accountHooks.useGet())
  return (
    <>
      <Heading>Profile</Heading>
      <div>
        <p>{name}</p>
        <p className="facts">{email}</p>
        <p>
          <a href={website}>{website}</a>
        </p>
      </div>
      <section aria-labelledby="picture">
        <h2 id="picture">Picture</h2>
        <AsyncBoundary fallback={<LoadingAvatar />} errorFallback={Failed}>
          <Avatar id={id} name={name} />
        </AsyncBoundary>
        <AvatarUpload id={id} />
      </section>
    </>
  )
}

function Avatar({ id, name }: { readonly id: number; readonly name: string }) {
  const { src } = useSuspense(avatarHooks.useGet(), { id })
  return <img className="avatar large" src={src} alt={`Picture of ${name}`} />
}

function LoadingAvatar() {
  return (
    <Loading>
      <span className="avatar large" />
    </Loading>
  )
}
