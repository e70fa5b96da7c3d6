/*
 * The headers that name the fields of the spend, folded with `foldHeader`. Headers of the first
 * list of a field take precedence over those of the second. `spend-header.ts` has the
 * headers of the spend itself.
 */

/** Headers by field. */
export const spendFieldWords: Readonly<
  Record<'spend_currency' | 'spend_year' | 'category' | 'id', readonly string[][]>
> = {
  spend_currency: [
    ['spendcurrency'],
    words(
      'currency curr cur ccy currencycode currencykey isocurrency transactioncurrency ' +
        'documentcurrency doccurrency invoicecurrency localcurrency ordercurrency pocurrency ' +
        'währung whg wkz währungscode währungsschlüssel währungskennzeichen belegwährung ' +
        'hauswährung rechnungswährung bestellwährung devise monnaie codedevise moneda divisa ' +
        'währg belegwährg hauswährg waers hwaer lcurr doccurr localcurr ' +
        'valuta valutacode codicevaluta waluta 通貨 通貨コード 货币 币种 貨幣 幣別',
    ),
  ],
  spend_year: [
    ['spendyear'],
    words(
      'year fiscalyear financialyear fy calendaryear postingyear invoiceyear purchaseyear ' +
        'reportingyear jahr geschäftsjahr buchungsjahr kalenderjahr wirtschaftsjahr berichtsjahr ' +
        'belegjahr année exercice annéefiscale exercicefiscal exercicecomptable anneecivile año ' +
        'ejercicio añofiscal ejerciciofiscal anno esercizio annofiscale eserciziofiscale jaar ' +
        'boekjaar ano rok år 年 年度 会計年度 财年 年份 會計年度',
    ),
    words(
      'invoicedate documentdate docdate postingdate pstngdate bookingdate belegdatum buchungsdatum ' +
        'buchdat belegdat rechnungsdatum datefacture datedefacture fechafactura fechadefactura ' +
        'datafattura factuurdatum period postingperiod buchungsperiode periode',
    ),
  ],
  category: [
    ['category'],
    words(
      'spendcategory purchasingcategory procurementcategory suppliercategory productcategory ' +
        'costcategory commodity commoditygroup commoditycode materialgroup materialcategory ' +
        'spendgroup purchasinggroup ghgcategory scope3category warengruppe materialgruppe ' +
        'produktgruppe kategorie einkaufskategorie warengruppenbezeichnung beschaffungskategorie ' +
        'catégorie catégoriedachat catégoriedachats familledachat familledachats famille ' +
        'groupedemarchandises segmentdachat categoría categoríadecompra categoríadegasto familia ' +
        'grupodeartículos categoria categoriamerceologica gruppomerceologico categorie ' +
        'kategoria カテゴリ カテゴリー 品目カテゴリ 品目分類 購買カテゴリ 品類 类别 品类 采购类别 物料组',
    ),
  ],
  id: [['carbonid'], words('organizationid organisationid')],
};

/**
 * Header of a column that may hold ids of the service or numbers of the user. It provides the ids
 * only with --map, because the numbers of the user may be the ids of other organizations.
 */
export const doubtfulIdHeader = 'id';

function words(text: string): string[] {
  return text.split(' ');
}
