import { describe, expect, test } from 'vitest'
import { Knob } from './knob.js'

describe('take', () => {
  test.each([
    ['GET /article', 'GET', '/article', true],
    ['GET /article', 'GET', '/article/', true],
    ['GET /article', 'POST', '/article', false],
    ['GET /article', 'GET', '/article/1', false],
    ['/article', 'POST', '/article', true],
    ['/article/:id', 'GET', '/article/1', true],
    ['/article/:id', 'GET', '/article/1/more', false],
    ['/current_user/', 'GET', '/current_user', true],
    ['/api/*', 'GET', '/api/news/1', true],
    ['/*', 'DELETE', '/todo/1', true],
  ])('the route "%s" and %s %s: %s', (route, method, path, isMatch) => {
    const knob = new Knob()
    knob.set({ route, status: 500 })
    expect(knob.take(method, path) !== undefined).toBe(isMatch)
  })

  test('prefers the newest of several settings', () => {
    const knob = new Knob()
    knob.set({ route: '/article/:id', status: 500 })
    knob.set({ route: '/*', status: 502 })
    expect(knob.take('GET', '/article/1')?.status).toBe(502)
    knob.set({ route: '/article/:id', status: 503 })
    expect(knob.take('GET', '/article/1')?.status).toBe(503)
  })

  test('counts down to the end of a setting', () => {
    const knob = new Knob()
    knob.set({ route: '/todo', status: 500, times: 2 })
    expect(knob.take('GET', '/todo')).toBeDefined()
    expect(knob.settings).toEqual([{ route: '/todo', status: 500, times: 1 }])
    expect(knob.take('GET', '/todo')).toBeDefined()
    expect(knob.take('GET', '/todo')).toBeUndefined()
    expect(knob.settings).toEqual([])
  })
})
