import { crudSuite } from './crud-suite'

crudSuite({
  path: '/materials',
  labels: { list: 'Werkstoffe', create: 'Neuer Werkstoff' },
  required: 'Name *',
  async fill(form, name) {
    await form.getByLabel('Name *').fill(name)
    await form.getByLabel('Dichte').fill('7,85')
  },
  change: { apply: (form) => form.getByLabel('Werkstoffnummer').fill('1.9999'), shown: '1.9999' },
})
