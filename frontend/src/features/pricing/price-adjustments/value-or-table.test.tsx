import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { useForm, useWatch } from 'react-hook-form'
import { I18nextProvider } from 'react-i18next'
import { expect, it } from 'vitest'
import { queryClient } from '~/api/query'
import '~/i18n/area'
import { i18n, loadTexts } from '~/i18n/i18n'
import { FormScopeContext } from '~/kit/form/form-context'
import { z } from '~/kit/form/schema'
import { http } from '~/mocks/server'
import { server } from '~/test/server'
import { type AdjustmentValueForm, valueIssues, valueShape } from './value-or-table'
import { ValueOrTableFields } from './value-or-table-fields'

const SCOPE = { ns: 'priceAdjustments', readOnly: false } as const

function Form() {
  const { control } = useForm<AdjustmentValueForm>({ defaultValues: { value: '3', surcharge_table_id: null, calculation_type: 'perKg' } })
  const values = useWatch({ control })
  return (
    <QueryClientProvider client={queryClient}>
      <I18nextProvider i18n={i18n}>
        <FormScopeContext.Provider value={SCOPE}>
          <ValueOrTableFields control={control} />
          <output>{JSON.stringify(values)}</output>
        </FormScopeContext.Provider>
      </I18nextProvider>
    </QueryClientProvider>
  )
}

const formValues = () => JSON.parse(screen.getByRole('status').textContent ?? '')

it('replaces a value by a table, which is per tonne, and restores it', async () => {
  const table = { id: 7, name: 'Legierungszuschlag' }
  server.use(
    http.get('/api/admin/surcharge-tables', () =>
      HttpResponse.json({ data: [table as never], meta: { current_page: 1, last_page: 1, per_page: 40, total: 1 } }),
    ),
    http.get('/api/admin/surcharge-tables/{id}', () => HttpResponse.json(table as never)),
  )
  await loadTexts('priceAdjustments')
  const user = userEvent.setup()
  render(<Form />)
  await user.click(await screen.findByRole('combobox', { name: 'Zuschlagstabelle' }))
  await user.click(await screen.findByRole('option', { name: 'Legierungszuschlag' }))
  expect(formValues()).toEqual({ value: '', surcharge_table_id: 7, calculation_type: 'perTon' })
  expect(screen.getByLabelText(/^Wert/)).toBeDisabled()
  expect(screen.getByRole('option', { name: /^Je kg/ })).toBeDisabled()
  expect(screen.getByRole('option', { name: 'Je t' })).toBeEnabled()

  await user.clear(screen.getByRole('combobox', { name: 'Zuschlagstabelle' }))
  await user.tab()
  await waitFor(() => expect(formValues()).toEqual({ value: '', surcharge_table_id: null, calculation_type: 'perTon' }))
  expect(screen.getByLabelText(/^Wert/)).toBeEnabled()
})

const schema = z.object(valueShape())

it.each([
  [{ value: '3', surcharge_table_id: null, calculation_type: 'absolute' }, []],
  [{ value: '', surcharge_table_id: 7, calculation_type: 'perTon' }, []],
  [{ value: '', surcharge_table_id: null, calculation_type: 'perTon' }, ['value']],
  [{ value: '3', surcharge_table_id: 7, calculation_type: 'perTon' }, ['value']],
  [{ value: '', surcharge_table_id: 7, calculation_type: 'perKg' }, ['calculation_type']],
] satisfies [AdjustmentValueForm, string[]][])('reports errors of %j', (form, paths) => {
  const { value, surcharge_table_id } = schema.parse(form)
  const issues = valueIssues({ value, surcharge_table_id, calculation_type: form.calculation_type })
  expect(issues.map(({ path }) => path.join('.'))).toEqual(paths)
})
