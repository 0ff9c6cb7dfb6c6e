import fc from 'fast-check'

/**
 * Property tests run the same cases each time, so that a failure is one of the change at hand. Look for new ones
 * with another seed: `PROPERTY_SEED=$RANDOM npm run test:unit`.
 */
fc.configureGlobal({ seed: Number(process.env['PROPERTY_SEED'] ?? 20261120) })
