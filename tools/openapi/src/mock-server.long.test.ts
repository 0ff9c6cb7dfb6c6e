import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stageOf, walk } from './testing-walk.js'

// The larger ones of mock-server.test.ts.

type Fields = Record<string, unknown>

const read = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../fixtures/${name}.json`), 'utf8')) as object

test('Stripe: products, and the price that they name by its primary key or hold', async () => {
  const stage = await stageOf('stripe', read('stripe'), [
    { record: '/v1/prices/{price}', listIn: 'data', stored: [{ id: 'price_1' }, { id: 'price_2' }] },
    {
      record: '/v1/products/{id}',
      listIn: 'data',
      stored: [
        { id: 'prod_1', default_price: 'price_1' },
        { id: 'prod_2', default_price: 'price_1' },
      ],
    },
  ])
  const { priceResource = {}, productResource = {} } = stage.api
  await walk(stage, {
    resource: priceResource,
    listIn: 'data',
    ids: ['price_1', 'price_2'],
    created: { currency: 'eur' },
    changed: { nickname: 'Renamed' },
  })
  const requests = await walk(stage, {
    resource: productResource,
    listIn: 'data',
    ids: ['prod_1', 'prod_2'],
    created: { name: 'New' },
    changed: { name: 'Renamed' },
    nested: (product) => product['default_price'],
  })
  const [product] = (stage.read(productResource['getList']) as { data: Fields[] }).data
  expect(product?.['default_price']).toBe(stage.read(priceResource['get'], { id: 'price_1' }))
  expect(requests).toEqual([
    'GET /v1/prices',
    'GET /v1/prices/price_1',
    'POST /v1/prices',
    'POST /v1/prices/price_1',
    'GET /v1/products',
    'GET /v1/products/prod_1',
    'POST /v1/products',
    'POST /v1/products/prod_1',
    'DELETE /v1/products/prod_2',
  ])
  stage.server.close()
})

const projects = ['4e1bfbc3-dc3e-41f2-a18f-1b4d7ba71679', '5e1bfbc3-dc3e-41f2-a18f-1b4d7ba71679'] as const

test('DigitalOcean: projects and records of a domain, in objects that hold them', async () => {
  const stage = await stageOf('digitalocean', read('digitalocean'), [
    {
      record: '/v2/projects/{project_id}',
      listIn: 'projects',
      recordIn: 'project',
      stored: projects.map((id) => ({ id })),
    },
    {
      record: '/v2/domains/{domain_name}/records/{domain_record_id}',
      listIn: 'domain_records',
      recordIn: 'domain_record',
      stored: [{ id: 1 }, { id: 2 }],
    },
  ])
  const { projectResource = {}, domainRecordResource = {} } = stage.api
  await walk(stage, {
    resource: projectResource,
    listIn: 'projects',
    ids: projects,
    created: { name: 'New', purpose: 'Tests' },
    changed: { name: 'Renamed' },
  })
  const requests = await walk(stage, {
    resource: domainRecordResource,
    listIn: 'domain_records',
    args: { domain_name: 'example.com' },
    ids: [1, 2],
    created: { type: 'A', name: 'www', data: '127.0.0.1' },
    changed: { type: 'A', name: 'renamed' },
  })
  expect(requests).toEqual([
    'GET /v2/projects',
    `GET /v2/projects/${projects[0]}`,
    'POST /v2/projects',
    `PATCH /v2/projects/${projects[0]}`,
    `DELETE /v2/projects/${projects[1]}`,
    'GET /v2/domains/example.com/records',
    'GET /v2/domains/example.com/records/1',
    'POST /v2/domains/example.com/records',
    'PATCH /v2/domains/example.com/records/1',
    'DELETE /v2/domains/example.com/records/2',
  ])
  stage.server.close()
})

test('Slack: a file of a list and of a call of its own', async () => {
  const stage = await stageOf('slack', read('slack'), [])
  const { filesList, filesInfo, filesDelete } = stage.api
  const { files } = (await stage.fetch(filesList, { token: 'x' })) as { files: Fields[] }
  const { file } = (await stage.fetch(filesInfo, { token: 'x', file: 'string' })) as { file: Fields }
  expect(file).toBeInstanceOf(stage.api['ObjsFile'])
  expect(file).toBe(files[0])
  await stage.fetch(filesDelete, { file: 'string' })
  expect(stage.server.requests).toEqual([
    'GET /files.list?token=x',
    'GET /files.info?file=string&token=x',
    'POST /files.delete',
  ])
  stage.server.close()
})

test('Star Trek: seasons of one series, with primary keys that the option file names', async () => {
  const one = (key: string) => ({ pk: 'uid', key })
  const entities = {
    SeasonBase: one('Season'),
    SeasonFull: one('Season'),
    SeriesBase: one('Series'),
    SeriesFull: one('Series'),
    EpisodeFull: one('Episode'),
  }
  const stage = await stageOf('star-trek', read('star-trek'), [], { entities })
  const { getSeasonSearch, getSeason, getEpisode } = stage.api
  const { seasons } = (await stage.fetch(getSeasonSearch)) as { seasons: Fields[] }
  const { season } = (await stage.fetch(getSeason, { uid: 'string' })) as { season: Fields }
  const { episode } = (await stage.fetch(getEpisode, { uid: 'string' })) as { episode: Fields }
  expect(season).toBeInstanceOf(stage.api['SeasonFull'])
  expect(seasons[0]).toBeInstanceOf(stage.api['SeasonBase'])
  expect(season['series']).toBeInstanceOf(stage.api['SeriesBase'])
  expect(season['series']).toBe(episode['series'])
  stage.server.close()
})

test('Discriminators: bodies are what the description takes, and no other', async () => {
  const stage = await stageOf('discriminators', read('discriminators'), [])
  const { redoclyQuirk } = stage.api
  await stage.fetch(redoclyQuirk, { vehicle: { powerSource: 'gasoline', topSpeed: 90 } })
  const wrong = stage.fetch(redoclyQuirk, { vehicle: { powerSource: 'gasoline', topSpeed: 'high' } })
  await expect(wrong).rejects.toMatchObject({ status: 422 })
  stage.server.close()
})
