import { createRoot } from 'react-dom/client'
import { libraries } from './libraries.js'
import { Side } from './screen/Side.js'

const sides = document.getElementById('sides')
if (sides === null) throw new Error('The page has no #sides.')

createRoot(sides).render(libraries.map((library) => <Side key={library.name} library={library} />))
