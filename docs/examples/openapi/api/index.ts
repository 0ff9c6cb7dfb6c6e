// What `npx @selfsame/openapi blog.yaml --out src/api` writes.
export * from '../../../../tools/openapi/golden/blog/index.js'
