import { describe, expect, it } from 'vitest';
import { mapColumns } from '../../src/batch/columns.ts';

/* Maps the columns of a table; its first row is the header. */
function mapped(...[header = '', ...rows]: readonly string[]): Record<string, string> {
  const sample = rows.map((row) => row.split(';'));
  const { columns } = mapColumns(header.split(';'), new Map(), sample);
  return Object.fromEntries(columns.map(({ field, column }) => [field, column]));
}

describe('mapColumns', () => {
  it.each([
    'Kreditor',
    'Lieferant',
    'Creditor',
    'Fournisseur',
    'Tiers',
    'Proveedor',
    'Acreedor',
    'Business Partner',
  ])('reads names below the header %s', (header) => {
    expect(mapped(`${header};Betrag`, 'Stahl GmbH;1,50', '3M;2')).toEqual({ name: header });
  });

  it.each(['Kreditor', 'Lieferant', 'Vendor', 'Supplier', 'Fournisseur', 'Proveedor'])(
    'reads numbers below the header %s as external ids, and the name from another column',
    (header) => {
      const rows = ['0000100023;Stahl GmbH', '0000100024;Uhren AG'];
      expect(mapped(`${header};Name 1`, ...rows)).toEqual({ external_id: header, name: 'Name 1' });
    },
  );

  it('ignores the label of a total below the numbers', () => {
    const rows = ['70001;Stahl GmbH', 'Gesamtsumme;'];
    expect(mapped('Lieferant;Name 1', ...rows)).toEqual({
      external_id: 'Lieferant',
      name: 'Name 1',
    });
  });

  it('recognizes codes with letters in three rows', () => {
    const rows = ['V-10023;A', 'V-10024;B', 'V-10025;C'];
    expect(mapped('Vendor;Vendor name', ...rows)).toEqual({
      external_id: 'Vendor',
      name: 'Vendor name',
    });
  });

  it('does not read a column of numbers as the name if no other column holds names', () => {
    expect(() => mapped('Lieferant;Betrag', '100023;1,50')).toThrow(
      'no column as the organization name. The columns, each with a value: "Lieferant" (100023)',
    );
  });

  it('reads the name of a column that has the name of the field, whatever its values', () => {
    expect(mapped('Name;Betrag', '1848;1,50')).toEqual({ name: 'Name' });
  });

  it.each([
    ['Kreditorenname', 'Kreditor'],
    ['Lieferantenname', 'Lieferant'],
    ['Name des Lieferanten', 'Lieferantennummer'],
    ['Kreditorenbezeichnung', 'Kreditorennr.'],
    ['Name (Adressattyp Unternehmen)', 'Kreditorenkonto'],
    ['Name of Supplier', 'Supplier'],
    ['Libellé fournisseur', 'Fournisseur'],
    ['Raison sociale', 'Code fournisseur'],
    ['Nom du tiers', 'Tiers'],
    ['Razón social', 'Proveedor'],
    ['Razon Social', 'Código de proveedor'],
    ['Nombre del acreedor', 'Acreedor'],
    ['Ragione sociale', 'Codice fornitore'],
    ['Naam leverancier', 'Leverancier'],
  ])('recognizes the headers %s and %s of purchasing exports', (name, number) => {
    expect(mapped(`${number};${name}`, '70001;Stahl GmbH', '70002;Uhren AG')).toEqual({
      name,
      external_id: number,
    });
  });
});
