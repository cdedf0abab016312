import { SecurityPage, useSecurity } from '#client/features/identity/security/security-page.tsx'
import { LoadError } from '#client/ui/load-error.tsx'

export function Component() {
  const { overview, factors, error, isFetching, refetch } = useSecurity()
  return (
    <>
      {error ? (
        <LoadError what="your security settings" query={{ error, isFetching, refetch }} />
      ) : (
        <SecurityPage overview={overview} factors={factors} />
      )}
    </>
  )
}
