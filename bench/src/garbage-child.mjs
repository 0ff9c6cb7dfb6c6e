import { measureGarbage } from './garbage.mjs'

const [, , size, part] = process.argv

process.send(await measureGarbage(Number(size), part), () => process.exit())
