/**
 * Import rules. Each part may import the parts to its right:
 *   client/app -> client/features -> client/ui, client/lib -> shared
 *   server/main -> server/serve -> server/{app,seed} -> server/features ->
 *     server/{pages,protocol,http,jobs,mail,sms,media,monitoring,db,config} -> shared
 * packages/ imports nothing of src/. Only the server's seed and the build read content/.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to })

/** Areas and their features, in the order of imports: each may import those before it. Contracts follow the order of areas. */
const areas = require('./scripts/features.json')
const features = Object.entries(areas).flatMap(([area, names]) => names.map((name) => `${area}/${name}`))

const featureOrder = features
  .slice(0, -1)
  .map((feature, index) =>
    rule(
      `feature-order-${feature.replace('/', '-')}`,
      { path: `^src/(server|client)/features/${feature}/` },
      { path: `^src/(server|client)/features/(${features.slice(index + 1).join('|')})/` },
      'A feature imports only features before it in scripts/features.json.',
    ),
  )

const contractOrder = Object.keys(areas)
  .slice(0, -1)
  .map((area, index) =>
    rule(
      `contract-order-${area}`,
      { path: `^src/shared/contracts/${area}/` },
      {
        path: `^src/shared/contracts/(${Object.keys(areas)
          .slice(index + 1)
          .join('|')})/`,
      },
      'A contract imports only contracts of its own area and of areas before it.',
    ),
  )

module.exports = {
  forbidden: [
    ...featureOrder,
    ...contractOrder,
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
      'infrastructure-not-features',
      { path: '^src/server/(protocol|http|jobs|mail|sms|media|monitoring|config|db|pages)/' },
      { path: '^src/server/(features|seed|(app|all-features|serve|open-mail|open-sms|main)\\.ts)' },
      'Infrastructure must not depend on features.',
    ),
    rule(
      'server-features-not-app',
      { path: '^src/server/features' },
      { path: '^src/server/(seed/|(app|all-features|serve|open-mail|open-sms|main)\\.ts)' },
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
