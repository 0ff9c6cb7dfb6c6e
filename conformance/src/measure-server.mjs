// Loaded into a server under test (node --expose-gc --import): says what is left of the requests that it answered.
process.on('message', async () => {
  for (let round = 0; round < 5; round++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    globalThis.gc()
  }
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  process.send({ heap: process.memoryUsage().heapUsed, timers })
})
