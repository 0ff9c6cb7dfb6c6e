import { describe, expect, test } from 'vitest'
import { fillPath, joinUrl, parsePath, toListPath } from './path.js'

const fill = (path: string, params: Readonly<Record<string, unknown>> = {}) =>
  fillPath(parsePath(path), 'Todo.get', [params], params)

describe('fillPath', () => {
  test.each([
    ['/todo/:id', { id: 5 }, '/todo/5'],
    ['/todo/:id', { id: '5' }, '/todo/5'],
    ['/todo/:id', { id: 0 }, '/todo/0'],
    ['/todo/:id', { id: false }, '/todo/false'],
    ['/todo/:id', { id: 12n }, '/todo/12'],
    ['/:group/:id', { group: 'a', id: 1 }, '/a/1'],
    ['/todo/:id/done', { id: 1 }, '/todo/1/done'],
    ['/todo/:$id/:_b2', { $id: 1, _b2: 2 }, '/todo/1/2'],
    ['/todo/', {}, '/todo/'],
    ['', {}, ''],
  ])('%s with %o gives %s', (path, params, url) => {
    expect(fill(path, params)).toBe(url)
  })

  test.each([
    ['/files/:name.:ext', { name: 'a', ext: 'txt' }, '/files/a.txt'],
    ['/range/:from-:to', { from: 1, to: 2 }, '/range/1-2'],
    ['/at/:lat,:lng', { lat: 52.5, lng: -13 }, '/at/52.5,-13'],
    ['/@:user', { user: 'ann' }, '/@ann'],
  ])('several params in a segment are separate: %s with %o gives %s', (path, params, url) => {
    expect(fill(path, params)).toBe(url)
  })

  test.each([
    ['/list{/:page}', {}, '/list'],
    ['/list{/:page}', { page: 2 }, '/list/2'],
    ['/list{/:page}', { page: '' }, '/list'],
    ['/list{/:page}', { page: null }, '/list'],
    ['/list{/:page}/all', {}, '/list/all'],
    ['/log{/:year/:month}', { year: 2024, month: 5 }, '/log/2024/5'],
    ['/log{/:year/:month}', { year: 2024 }, '/log'],
    ['/log{/:year{/:month}}', { year: 2024 }, '/log/2024'],
    ['/log{/:year{/:month}}', { year: 2024, month: 5 }, '/log/2024/5'],
    ['/log{/:year{/:month}}', { month: 5 }, '/log'],
    ['/list{/:page}', { page: 0 }, '/list/0'],
  ])('a group stands only where all its params are given: %s with %o gives %s', (path, params, url) => {
    expect(fill(path, params)).toBe(url)
  })

  test.each([
    ['/list/:page?', {}, '/list'],
    ['/list/:page?', { page: 2 }, '/list/2'],
    ['/list/:page?/all', {}, '/list/all'],
    ['/:lang?/todo', {}, '/todo'],
    ['/:lang?/todo', { lang: 'de' }, '/de/todo'],
    ['/todo-:page?', {}, '/todo-'],
    ['/todo/:id?', { id: undefined }, '/todo'],
  ])('an optional param takes the slash before it along: %s with %o gives %s', (path, params, url) => {
    expect(fill(path, params)).toBe(url)
  })

  test.each([
    ['/v1\\:batch', {}, '/v1:batch'],
    ['/a\\{b\\}', {}, '/a{b}'],
    ['/todo\\?done', {}, '/todo?done'],
    ['/a\\\\b', {}, '/a\\b'],
    ['/todo/:id\\:archive', { id: 5 }, '/todo/5:archive'],
    ['/todo/:id\\?', { id: 5 }, '/todo/5?'],
  ])('a backslash takes the next character as it is: %s with %o gives %s', (path, params, url) => {
    expect(fill(path, params)).toBe(url)
  })

  test.each([
    ['http://localhost:8080/todo/:id', { id: 5 }, 'http://localhost:8080/todo/5'],
    ['//host:80/:id', { id: 1 }, '//host:80/1'],
    ['/a\\:/b', {}, '/a:/b'],
    ['/t/12:30', {}, '/t/12:30'],
  ])('a colon that no name follows is a colon: %s with %o gives %s', (path, params, url) => {
    expect(fill(path, params)).toBe(url)
  })

  test.each([
    ['/files/*path', { path: 'a/b.txt' }, '/files/a/b.txt'],
    ['/files/*path', { path: ['a b', 'c/d'] }, '/files/a%20b/c%2Fd'],
    ['/files/*path', { path: 5 }, '/files/5'],
    ['/files{/*path}', {}, '/files'],
    ['/files{/*path}', { path: [] }, '/files'],
    ['/files/*path?', {}, '/files'],
    ['/:user/files/*path/raw', { user: 1, path: 'a/b' }, '/1/files/a/b/raw'],
    ['/a\\*/\\*', {}, '/a*/*'],
    ['/a\\*path', {}, '/a*path'],
  ])('a wildcard has several segments: %s with %o gives %s', (path, params, url) => {
    expect(fill(path, params)).toBe(url)
  })

  test.each([
    ['a/../b', 'a segment of only dots would change the path'],
    [['a', '..'], 'a segment of only dots would change the path'],
    ['a//b', 'one of its segments is empty'],
    ['/a', 'one of its segments is empty'],
    [['a', null], 'it is null'],
    [{ a: 1 }, 'it is an object'],
  ])('refuses %o for a wildcard, which cannot leave its place', (path, why) => {
    expect(() => fill('/files/*path', { path })).toThrow(
      expect.objectContaining({
        code: 'path-param-unusable',
        message: expect.stringContaining(`cannot put "path" into its path: ${why}.`),
      }),
    )
  })

  test.each([
    ['\uD83D', 'it contains half of a character (a lone surrogate)'],
    ['a\uDE00', 'it contains half of a character (a lone surrogate)'],
    [Number.NaN, 'it is NaN'],
    [new Date(Number.NaN), 'it is an object'],
  ])('refuses %o as unusable', (id, why) => {
    expect(() => fill('/todo/:id', { id })).toThrow(
      expect.objectContaining({
        code: 'path-param-unusable',
        message: expect.stringContaining(`cannot put "id" into its path: ${why}.`),
      }),
    )
    expect(fill('/todo/:id', { id: '😀' })).toBe('/todo/%F0%9F%98%80')
  })

  test('a search in the path is kept', () => {
    expect(fill('/todo?kind=:kind', { kind: 'a&b' })).toBe('/todo?kind=a%26b')
  })

  test.each([
    ['../x', '/todo/..%2Fx'],
    ['a/b', '/todo/a%2Fb'],
    ['a\\b', '/todo/a%5Cb'],
    ['?', '/todo/%3F'],
    ['#', '/todo/%23'],
    ['%2e%2e', '/todo/%252e%252e'],
    ['a b', '/todo/a%20b'],
    ['é', '/todo/%C3%A9'],
    ['日本', '/todo/%E6%97%A5%E6%9C%AC'],
    [':id', '/todo/%3Aid'],
    ['{x}', '/todo/%7Bx%7D'],
    ['a.b', '/todo/a.b'],
    ['.hidden', '/todo/.hidden'],
  ])('percent-encodes %o inside its segment (E4)', (id, url) => {
    expect(fill('/todo/:id', { id })).toBe(url)
  })

  test.each([
    ['', 'empty'],
    [null, 'null'],
    [undefined, 'undefined'],
  ])('refuses %o as missing (E4)', (id, found) => {
    expect(() => fill('/todo/:id', { id })).toThrow(
      expect.objectContaining({
        code: 'path-param-missing',
        message: `Todo.get (/todo/:id) is missing "id"; it was called with the properties id (${found}).
  Pass every ":name" of the path in the first argument.`,
      }),
    )
  })

  test.each([['.'], ['..'], ['...']])('refuses %o, which means another path (E4)', (id) => {
    expect(() => fill('/todo/:id', { id })).toThrow(
      expect.objectContaining({
        code: 'path-param-unusable',
        message: `Todo.get (/todo/:id) cannot put "id" into its path: a segment of only dots would change the path.
  Pass a string or a number.`,
      }),
    )
  })

  test.each([
    [{}, 'it is an object'],
    [[1], 'it is an array'],
    [() => 1, 'it is a function'],
    [Symbol('s'), 'it is a symbol'],
  ])('refuses %o, which is no text', (id, why) => {
    expect(() => fill('/todo/:id', { id })).toThrow(
      expect.objectContaining({
        code: 'path-param-unusable',
        message: `Todo.get (/todo/:id) cannot put "id" into its path: ${why}.
  Pass a string or a number.`,
      }),
    )
  })

  test.each(['constructor', 'toString', '__proto__'])(
    'takes the param "%s" only from the params themselves (G7)',
    (name) => {
      expect(() => fill(`/todo/:${name}`)).toThrow(`is missing "${name}"`)
      expect(fill(`/todo{/:${name}}`)).toBe('/todo')
      expect(fill(`/todo/:${name}`, JSON.parse(`{ "${name}": 1 }`))).toBe('/todo/1')
    },
  )
})

describe('parsePath', () => {
  test.each([
    ['/a/:id(\\d+)', '"(" after ":id" is not supported'],
    ['/a/:p*', '"*" after ":p" is not supported'],
    ['/a/:p+', '"+" after ":p" is not supported'],
    ['/a/:p*rest', '"*" after ":p" is not supported'],
    ['/a/*p(.*)', '"(" after "*p" is not supported'],
    ['/a{/:p}?', '"?" after "}" is not supported'],
    ['/a{/:p}*', '"*" after "}" is not supported'],
  ])('refuses the modifier in %s', (path, why) => {
    expect(() => parsePath(path)).toThrow(
      expect.objectContaining({ code: 'path-invalid', message: expect.stringContaining(`: ${why}.`) }),
    )
  })

  test('takes a modifier that is escaped as text', () => {
    expect(fill('/products\\(:id\\)', { id: 5 })).toBe('/products(5)')
    expect(fill('/a/:from\\+:to', { from: 1, to: 2 })).toBe('/a/1+2')
  })

  test.each([
    ['/:group/:id', ['group', 'id'], ['group', 'id']],
    ['/:group{/:id}', ['group'], ['group', 'id']],
    ['/:group/:id?', ['group'], ['group', 'id']],
    ['/{a/{:b}/}:c', ['c'], ['b', 'c']],
    ['/\\:group/8080:80', [], []],
  ])('%s requires %o of %o', (path, required, names) => {
    const pattern = parsePath(path)
    expect(pattern.required).toEqual(required)
    expect([...pattern.names]).toEqual(names)
  })

  test.each([
    ['/a{/:b', '"{" at 2 is never closed'],
    ['/{a{b}', '"{" at 1 is never closed'],
    ['/a}/:b', '"}" at 2 closes no "{"'],
    ['/:id/x/:id', '":id" occurs twice'],
    ['/:id{/:id}', '":id" occurs twice'],
  ])('refuses %s', (path, why) => {
    expect(() => parsePath(path)).toThrow(
      expect.objectContaining({
        code: 'path-invalid',
        message: `The path "${path}" is invalid: ${why}.
  Write a param as ":name" or "*name", for example "/article/:id". Put a backslash before a character that is text.`,
      }),
    )
  })
})

describe('toListPath drops what stands from the last param on (E1)', () => {
  test.each([
    ['/:first/:second', '/:first'],
    ['/:first', '/'],
    ['/api/:group/:id', '/api/:group'],
    ['/todo/:id', '/todo'],
    ['/todo/:id/', '/todo'],
    ['/users/:id/make_manager', '/users'],
    ['todo/:id', 'todo'],
    [':id', '/'],
    ['/current_user/', '/current_user/'],
    ['/todo', '/todo'],
    ['/todo{/:id}', '/todo'],
    ['/todo/:id?', '/todo'],
    ['/v1\\:batch/:id', '/v1\\:batch'],
    ['/v1/:id\\:archive', '/v1'],
    // An escaped backslash.
    ['/v1\\\\:id', '/v1\\\\'],
    ['http://localhost:8080/todo/:id', 'http://localhost:8080/todo'],
    ['http://localhost:8080/:id', 'http://localhost:8080'],
    ['/log{/:year/:month}', '/log{/:year}'],
    ['/:group{-:id}', '/:group'],
    ['/log{/:year{/:month}}', '/log{/:year}'],
    ['/{a}/:id', '/{a}'],
  ])('%s gives %s', (path, list) => {
    expect(toListPath(path)).toBe(list)
    expect(() => parsePath(list)).not.toThrow()
  })
})

describe('joinUrl puts exactly one slash between prefix and path (E1)', () => {
  test.each([
    ['', '/todo', '/todo'],
    ['', 'todo', 'todo'],
    ['https://a.example', '/todo', 'https://a.example/todo'],
    ['https://a.example/', '/todo', 'https://a.example/todo'],
    ['https://a.example', 'todo', 'https://a.example/todo'],
    ['https://a.example/', 'todo', 'https://a.example/todo'],
    ['https://a.example/api', '/', 'https://a.example/api/'],
    ['//host', '/todo', '//host/todo'],
    ['//host/', '/todo', '//host/todo'],
    ['/api', '', '/api'],
  ])('%o and %o give %s', (prefix, path, url) => {
    expect(joinUrl(prefix, path)).toBe(url)
  })
})
