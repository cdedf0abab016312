/**
 * Import rules. Each part may import the parts to its right:
 *   client/app -> client/features -> client/ui, client/lib -> shared
 *   server/main -> server/serve -> server/{app,seed} -> server/features ->
 *     server/{pages,protocol,http,jobs,mail,sms,media,db,config} -> shared
 * packages/ imports nothing of src/. Only the server's seed and the build read content/.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to })

/** Each server feature may import those before it in this list. */
const serverFeatures = require('./scripts/server-features.json')

const featureOrder = serverFeatures
  .slice(0, -1)
  .map((feature, index) =>
    rule(
      `server-feature-order-${feature}`,
      { path: `^src/server/features/${feature}/` },
      { path: `^src/server/features/(${serverFeatures.slice(index + 1).join('|')})/` },
      'A server feature imports only features before it in the list.',
    ),
  )

module.exports = {
  forbidden: [
    ...featureOrder,
    rule('no-circular', {}, { circular: true }, 'Import cycles are not allowed.'),
    rule(
      'shared-not-client-or-server',
      { path: '^src/shared' },
      { path: '^(src/(client|server)|packages)/' },
      'Shared code runs in the browser and in Node.',
    ),
    rule(
      'shared-has-no-node',
      { path: '^src/shared', pathNot: '\\.test\\.ts$' },
      { dependencyTypes: ['core'] },
      'Shared code runs in the browser and does no I/O.',
    ),
    rule(
      'client-not-server',
      { path: '^src/client' },
      { path: '^(src/server|packages|content)/' },
      'Server code and content must not reach the browser.',
    ),
    rule(
      'server-not-client',
      { path: '^src/server' },
      { path: '^src/client' },
      'The server must not import components.',
    ),
    rule(
      'stripe-sandbox-is-independent',
      { path: '^packages/stripe-sandbox' },
      { path: '^(?!packages/stripe-sandbox/|node_modules/)[^:]*/', dependencyTypesNot: ['core'] },
      'The Stripe sandbox is a separate package, tests included.',
    ),
    rule(
      'only-serve-imports-the-stripe-sandbox',
      { path: '^src', pathNot: '^src/server/serve\\.ts' },
      { path: '^packages/stripe-sandbox' },
      'All other code uses the Stripe sandbox over HTTP.',
    ),
    rule(
      'ui-not-features',
      { path: '^src/client/(ui|lib)' },
      { path: '^src/client/(app|features)' },
      'Shared components and helpers must not depend on features.',
    ),
    rule(
      'client-features-not-app',
      { path: '^src/client/features' },
      { path: '^src/client/app' },
      'Features must not depend on pages.',
    ),
    rule(
      'client-features-are-independent',
      { path: '^src/client/features/([^/]+)/' },
      {
        path: '^src/client/features/([^/]+)/',
        pathNot: '^src/client/features/($1|preferences|personalization|billing|auth|passkeys)/',
      },
      'Features are independent, except for the five named ones, which many pages use.',
    ),
    rule(
      'infrastructure-not-features',
      { path: '^src/server/(protocol|http|jobs|mail|sms|media|config|db|pages)/' },
      { path: '^src/server/(features|seed|(app|serve|open-mail|open-sms|main)\\.ts)' },
      'Infrastructure must not depend on features.',
    ),
    rule(
      'server-features-not-app',
      { path: '^src/server/features' },
      { path: '^src/server/(seed/|(app|serve|open-mail|open-sms|main)\\.ts)' },
      'Features must not depend on the code that composes them.',
    ),
    rule(
      'no-orphans',
      {
        orphan: true,
        path: '^src',
        pathNot:
          '\\.d\\.ts$|\\.test\\.ts$|main\\.ts$|entry-|^packages/[^/]+/(build|vitest\\.config)\\.ts$|crash-child\\.ts$',
      },
      {},
      'No file imports this one.',
    ),
    rule('resolvable', {}, { couldNotResolve: true, pathNot: '^virtual:|\\.css$' }, 'The import can’t be resolved.'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
}
