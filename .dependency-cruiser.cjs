/**
 * Import directions. An arrow may skip steps but never points back:
 *   client/app -> client/features -> client/ui, client/lib -> shared
 *   server/main -> server/serve -> server/{app,seed} -> server/features ->
 *     server/{pages,protocol,http,jobs,mail,sms,media,db,config} -> shared
 *   sandbox -> nothing of ours     content/ -> read by the server's seed and, samples only, by the build
 * @type {import('dependency-cruiser').IConfiguration}
 */
const rule = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to })

module.exports = {
  forbidden: [
    rule('no-circular', {}, { circular: true }, 'A circle has no inside and no outside.'),
    rule(
      'shared-is-alone',
      { path: '^src/shared' },
      { path: '^(src/(client|server)|packages)/' },
      'Runs in both worlds.',
    ),
    rule(
      'shared-has-no-node',
      { path: '^src/shared', pathNot: '\\.test\\.ts$' },
      { dependencyTypes: ['core'] },
      'No I/O in shared.',
    ),
    rule(
      'client-not-server',
      { path: '^src/client' },
      { path: '^(src/server|packages|content)/' },
      'Secrets stay on the server.',
    ),
    rule('server-not-client', { path: '^src/server' }, { path: '^src/client' }, 'The server renders no components.'),
    rule(
      'sandbox-is-alone',
      { path: '^packages/stripe-sandbox' },
      { path: '^(?!packages/stripe-sandbox/|node_modules/)[^:]*/', dependencyTypesNot: ['core'] },
      'A stand-in Stripe knows nothing of us, and neither do its tests: it could be published as it is.',
    ),
    rule(
      'only-serve-starts-the-sandbox',
      { path: '^src', pathNot: '^src/server/serve\\.ts' },
      { path: '^packages/stripe-sandbox' },
      'Everybody else reaches it over HTTP.',
    ),
    rule(
      'ui-knows-no-features',
      { path: '^src/client/(ui|lib)' },
      { path: '^src/client/(app|features)' },
      'Parts know nothing of newsletters.',
    ),
    rule(
      'features-below-app',
      { path: '^src/client/features' },
      { path: '^src/client/app' },
      'Pages compose features.',
    ),
    rule(
      'client-features-apart',
      { path: '^src/client/features/([^/]+)/' },
      {
        path: '^src/client/features/([^/]+)/',
        pathNot: '^src/client/features/($1|preferences|personalization|billing|auth|passkeys)/',
      },
      'Features do not reach into each other; the five named are shared by several pages.',
    ),
    rule(
      'ground-floor-knows-no-features',
      { path: '^src/server/(protocol|http|jobs|mail|sms|media|config|db|pages)/' },
      { path: '^src/server/(features|seed|(app|serve|open-mail|open-sms|main)\\.ts)' },
      'Nothing points back up.',
    ),
    rule(
      'features-below-server-app',
      { path: '^src/server/features' },
      { path: '^src/server/(seed/|(app|serve|open-mail|open-sms|main)\\.ts)' },
      'Nothing points back up.',
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
      'A file that nothing imports.',
    ),
    rule('resolvable', {}, { couldNotResolve: true, pathNot: '^virtual:|\\.css$' }, 'An import that leads nowhere.'),
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
