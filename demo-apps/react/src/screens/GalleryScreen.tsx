import { getImage } from '@selfsame/core/media'
import { getPictures } from '@selfsame/demo-shared/application'
import { AsyncBoundary, useSuspense } from '@selfsame/react'
import { Heading } from '../parts/Heading.js'
import { Loading } from '../parts/Loading.js'
import { Failed } from '../parts/Problem.js'

export function GalleryScreen() {
  return (
    <>
      <Heading>Gallery</Heading>
      <p className="lead">Pictures of the news. Each is shown when all of it has come.</p>
      <AsyncBoundary fallback={<LoadingPictures />} errorFallback={Failed}>
        <Pictures />
      </AsyncBoundary>
    </>
  )
}

function Pictures() {
  const news = useSuspense(getPictures)
  return (
    <ul aria-label="Pictures" className="grid">
      {news.map(({ id, title, previewImage }) => (
        <li key={id}>
          <figure className="picture">
            <AsyncBoundary fallback={<LoadingPicture />} errorFallback={NoPicture}>
              <Picture src={previewImage} alt={`Picture: ${title}`} />
            </AsyncBoundary>
            <figcaption>{title}</figcaption>
          </figure>
        </li>
      ))}
    </ul>
  )
}

/** Shows the picture once it is decoded, so that it appears as a whole. */
function Picture({ src, alt }: { readonly src: string; readonly alt: string }) {
  return <img src={useSuspense(getImage, { src })} alt={alt} />
}

function LoadingPicture() {
  return (
    <Loading>
      <span className="skeleton-picture" />
    </Loading>
  )
}

function LoadingPictures() {
  return (
    <Loading className="grid">
      {Array.from({ length: 9 }, (_, index) => (
        <span key={index} className="picture">
          <span className="skeleton-picture" />
          <span className="figcaption" />
        </span>
      ))}
    </Loading>
  )
}

function NoPicture() {
  return <p className="no-picture">No picture</p>
}
