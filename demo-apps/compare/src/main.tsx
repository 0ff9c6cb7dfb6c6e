import { createRoot } from 'react-dom/client'
import { libraries } from './libraries.js'
import { Side } from './screen/Side.js'

const main = document.querySelector('main')
if (main === null) throw new Error('The page has no <main>.')

createRoot(main).render(libraries.map((library) => <Side key={library.name} library={library} />))
