import fc from 'fast-check'

/**
 * Property tests run the same cases each time, so that only a change of the code can make them fail. To look for new
 * cases, use another seed: `PROPERTY_SEED=$RANDOM npm run test:unit`.
 */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20261120) })
