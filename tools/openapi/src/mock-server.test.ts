import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeByNestjs } from './testing-nestjs.js'
import { stageOf, walk } from './testing-walk.js'

// Public descriptions: what is written of one calls a server that is made from the same one. The larger ones are in mock-server.long.test.ts.

const read = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../fixtures/${name}.json`), 'utf8')) as object

test('GitHub: releases, and the users in them', async () => {
  const record = '/repos/{owner}/{repo}/releases/{release_id}'
  const stage = await stageOf('github', read('github'), [{ record, stored: [{ id: 1 }, { id: 2 }] }])
  const requests = await walk(stage, {
    resource: stage.api['releaseResource'] ?? {},
    args: { owner: 'selfsame', repo: 'core' },
    ids: [1, 2],
    created: { tag_name: 'v3' },
    changed: { name: 'Renamed' },
    nested: ({ author }) => author,
  })
  expect(requests).toEqual([
    'GET /repos/selfsame/core/releases',
    'GET /repos/selfsame/core/releases/1',
    'POST /repos/selfsame/core/releases',
    'PATCH /repos/selfsame/core/releases/1',
    'DELETE /repos/selfsame/core/releases/2',
  ])
  stage.server.close()
})

test('GitHub: the users in issues, milestones and releases, which may be null in some of them', async () => {
  const stage = await stageOf('github issues', read('github'), [])
  const { issueResource = {} } = stage.api
  const params = { owner: 'selfsame', repo: 'core' }
  const listed = (await stage.fetch(issueResource['getList'], params)) as Record<string, object>[]
  const issue = await stage.fetch(issueResource['get'], { ...params, issue_number: 0 })
  expect(issue).toBe(listed[0])
  const release = (await stage.fetch(stage.api['releaseResource']?.['get'], { ...params, id: 1 })) as Record<
    string,
    object
  >
  const milestones = (await stage.fetch(stage.api['milestoneResource']?.['getList'], params)) as Record<
    string,
    object
  >[]
  expect(listed[0]?.['milestone']).toBe(milestones[0])
  expect(listed[0]?.['user']).toBeInstanceOf(stage.api['SimpleUser'])
  expect(listed[0]?.['user']).toBe(release['author'])
  expect(listed[0]?.['closed_by']).toBe(milestones[0]?.['creator'])
  stage.server.close()
})

test('Petstore (Swagger 2): pets of a search, their categories and tags', async () => {
  const stage = await stageOf('petstore', read('petstore'), [
    { record: '/pet/{petId}', list: '/pet/findByStatus', stored: [{ id: 1 }, { id: 2 }] },
  ])
  const { petResource = {}, findPetsByStatus } = stage.api
  const requests = await walk(stage, {
    resource: { ...petResource, getList: findPetsByStatus },
    listArgs: { status: ['sold'] },
    ids: [1, 2],
    nested: ({ category }) => category,
  })
  expect(requests).toEqual(['GET /pet/findByStatus?status=sold', 'GET /pet/1', 'DELETE /pet/2'])
  stage.server.close()
})

test('FastAPI: items and their owner', async () => {
  const stage = await stageOf('fastapi', read('fastapi'), [
    { record: '/items/{item_id}', stored: [{ id: 1 }, { id: 2 }] },
  ])
  const requests = await walk(stage, {
    resource: stage.api['itemResource'] ?? {},
    ids: [1, 2],
    created: { title: 'New', price: 3 },
    changed: { title: 'Renamed' },
    nested: ({ owner }) => owner,
  })
  expect(requests).toEqual(['GET /items/', 'GET /items/1', 'POST /items/', 'PUT /items/1', 'DELETE /items/2'])
  stage.server.close()
})

test('NestJS: cats and their owner', async () => {
  const stage = await stageOf('nestjs', await describeByNestjs(), [
    { record: '/cats/{id}', stored: [{ id: 1 }, { id: 2 }] },
  ])
  const requests = await walk(stage, {
    resource: stage.api['catResource'] ?? {},
    ids: [1, 2],
    created: { name: 'Tom', breed: 'tabby' },
    nested: ({ owner }) => owner,
  })
  expect(requests).toEqual(['GET /cats', 'GET /cats/1', 'POST /cats', 'DELETE /cats/2'])
  stage.server.close()
})
