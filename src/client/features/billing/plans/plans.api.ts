import { useQueryClient } from '@tanstack/react-query'
import { plansQuery } from '#client/features/billing/subscriptions/billing.api.ts'
import { alwaysStaleQuery, invoke } from '#client/lib/calls.ts'
import { useSensitiveMutation } from '#client/lib/changes.ts'
import { publication } from '#client/lib/publication.ts'
import {
  adminOrderPlansCall,
  adminPlansCall,
  adminRetirePlanCall,
  adminSavePlanCall,
  adminSaveTaxSettingsCall,
  type PlanToSave,
  type StoredPlan,
  type StoredPlans,
  type TaxSettings,
} from '#shared/contracts/billing/admin-plans.ts'
import { priceTexts } from '#shared/domain/price-texts.ts'

export const storedPlansQuery = alwaysStaleQuery(['admin-plans'], adminPlansCall, {})

/** This page, too, shows the plans as they are now. */
function useAnswer() {
  const queryClient = useQueryClient()
  return (stored: StoredPlans) => {
    queryClient.setQueryData(storedPlansQuery.queryKey, stored)
    publication.plans = stored.items.map(({ retiredAt, ...plan }) => ({
      ...plan,
      ...priceTexts(plan, stored.tax.settings),
      isRetired: retiredAt !== null,
    }))
    return queryClient.invalidateQueries({ queryKey: plansQuery.queryKey })
  }
}

export const useSavePlan = () =>
  useSensitiveMutation({ mutationFn: (plan: PlanToSave) => invoke(adminSavePlanCall, plan), onSuccess: useAnswer() })

export const useRetirePlan = ({ key, version }: StoredPlan) =>
  useSensitiveMutation({
    mutationFn: (retired: boolean) => invoke(adminRetirePlanCall, { key, version, retired }),
    failure: 'We couldn’t change the plan',
    onSuccess: useAnswer(),
  })

export const useOrderPlans = () =>
  useSensitiveMutation({
    mutationFn: (keys: string[]) => invoke(adminOrderPlansCall, { keys }),
    failure: 'We couldn’t change the order',
    onSuccess: useAnswer(),
  })

export const useSaveTax = (version: number) =>
  useSensitiveMutation({
    mutationFn: (settings: TaxSettings) => invoke(adminSaveTaxSettingsCall, { settings, version }),
    done: 'Settings saved',
    onSuccess: useAnswer(),
  })
