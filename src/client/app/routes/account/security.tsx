import { SecurityPage, useSecurity } from '#client/features/security/security-page.tsx'
import { LoadError } from '../portal/load-error.tsx'

export function Component() {
  const { overview, factors, error, isFetching, refetch } = useSecurity()
  return (
    <>
      <h2 className="sr-only">Security</h2>
      {error ? (
        <LoadError error={error} what="your security settings" onRetry={refetch} retrying={isFetching} />
      ) : (
        <SecurityPage overview={overview} factors={factors} />
      )}
    </>
  )
}
