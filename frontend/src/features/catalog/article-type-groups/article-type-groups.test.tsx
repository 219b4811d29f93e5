import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { itKeepsRules } from '~/test/rules'
import { db } from '~/test/server'
import { articleTypeGroupSchema, toForm } from './schema'

describe('the rules of the server', () => {
  itKeepsRules('article_type_group.json', articleTypeGroupSchema, (input) => ({ ...toForm(null), ...input }), ['not_printable'])
})

it('lists groups with their number of article types, and changes one', async () => {
  const { user, path } = renderApp('/article-type-groups')
  expect(await screen.findByRole('row', { name: /Formstahl.*Träger und Winkel.*2/ })).toBeInTheDocument()
  await user.click(screen.getByRole('link', { name: 'Bleche' }))
  await user.type(await screen.findByLabelText('Beschreibung'), 'Quarto und Coil')
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(path()).toBe('/article-type-groups'))
  expect(db.articleTypeGroups[1]).toMatchObject({ name: 'Bleche', description: 'Quarto und Coil', version: 2 })
})
