/**
 * Words of column and table names in several languages, by what they mean. A word means one thing
 * here; where a language uses it for two, the one that invoices need more often. Spelled without
 * accents, since names are compared without them.
 */
const wordsByConcept: Readonly<Record<string, string>> = {
  // the document
  invoice: `invoice invoices inv doc document documents bill billing billed faktura fakture fakturen factura facturas
    facture factures rechnung rechnungen rechn rech rg re fattura fatture fatura invois beleg belege
    documento documentos dokumen dokument factuur move trans tran transaction voucher fac albaran invoiced
    invc fatoura faturah fatora faturas fatoora fawateer fawatir faktuur facturen fakturor fakturan
    comprobante comprobantes cbte rechng invoicing trx trxs txn txns fak fakt vre
    faktury fiche fiches fis szamla racun lasku timologio hoadon fapiao fisler belge evrak`,
  order: `order orders ord auftrag auftraege bestellung bestell bestellnummer pedido pedidos commande commandes
    pesanan ordine po lpo purchaseorder
    siparis zamowienie bestelling bestellingen encomenda encomendas pesan talab talabat kundenauftrag
    zamowienia objednavka objednavky narudzba tilaus tellimus dondat zakaz`,
  quote: `quote quotes quotation quotations estimate estimates offer angebot angebote presupuesto presupuestos
    devis propal sebutharga sebut proforma preventivo
    oferta oferty teklif nabidka`,
  number: `number numbers bilangan no num nbr nmbr numbe nr nummer numero numer nomor nombor bil nro ndeg belegnr lfd
    raqm rakm rakam numara numaras nummers numerofatura
    folio
    cislo broj nomer numaro bianhao bango numar`,
  id: `id ids identifier identifiers rowid oid pk guid uuid entry objid`,
  key: `key schluessel clave cle
    anahtar`,
  code: `code codes abbreviation abbrev cod codigo kode kod codice kuerzel abbr iso sku symbol
    rumuz ramz
    kodu sifra kodas mahang symbolu`,
  date: `date dates datum fecha data tarikh tanggal dt dat datef jour
    tgl tareekh tarih dato dag
    daty tarihi ngay riqi hizuke pvm datas`,
  time: `time zeit hora heure masa uhrzeit`,
  issue: `issue issued emission emision ausstellung ausstellungs
    emitido emitida emitidoen emissao emissione uitgifte
    wystawienia wyst wystawienie vystaveni vystavenia kelt kelte duzenleme`,
  posting: `posting posted buchung buchungs`,
  due: `due faellig faelligkeit faelligkeits vencimiento vence venc echeance scadenza tempo akhir maturity lim limite
    istihqaq istihkak vade termin forfall vervaldatum verval tenggat prazo vencto
    faell venceen
    splatnost splatnosti dospijece dospece erapaiva esedekesseg`,
  currency: `currency currencies curr cur ccy waehrung whg wkz moneda divisa divisas devise monnaie matawang valuta crncy
    omla umla amla waluta valyuta moeda matauang parabirimi kur valuuta waers waerk
    waehr waehrg
    waluty mena penznem valyuty bizhong tiente doviz deviz`,
  exchange: `exchange xchg fx kurs wechselkurs cambio conversion tasaconv exch tauxchange cours cotation koers
    kursu kurz arfolyam tecaj vahetuskurss`,
  reference: `reference references ref referenz referencia rujukan riferimento refs refer`,
  note: `note notes remark remarks comment comments memo bemerkung bemerkungen notiz observaciones observacion nota
    notas comentario comentarios remarque remarques catatan narration
    mulahazat molahazat aciklama uwagi opmerking opmerkingen observacao observacoes anmarkning
    uwaga poznamka napomena megjegyzes ghichu beizhu aciklamasi`,
  type: `type types typ art tipo kind jenis doctype genre
    naw tur soort finalidade
    rodzaj druh vrsta loai turu tyyppi`,
  status: `status stts estadodoc etat zustand statut docstatus
    hala halah durum staat situacao
    stan durumu`,
  terms: `terms term zahlungsziel zahlungsbedingung zahlungsbedingungen condiciones condicion conditions syarat
    konditionen condizioni condizione
    shuroot`,
  payment: `payment payments pay zahlung zahlungs pago pagos paiement paiements reglement bayaran pembayaran zahlungsart formapago
    dafa odeme platnosc betaling betalning pagamento pagamentos
    platnosci zaplata zaplaty platba placanje odemeler fizetes pagam`,
  method: `method mode means metodo forma kaedah`,
  account: `account acct konto cuenta compte akaun
    rachunek rachunku conta`,
  bank: `bank banco banque iban
    bankowy bankowego banka`,
  // amounts
  total: `total totals sum summe gesamt gesamtbetrag ttl keseluruhan totaux grandtotal tot
    ijmali igmali majmou majmu toplam suma razem totaal totalt genel
    celkem celkom osszesen ukupno itogo tongtien tongcong heji goukei toplami`,
  amount: `amount amounts amt amnt betrag importe montant jumlah amaun monto valor wert
    mablagh mablag tutar kwota bedrag belopp belop nilai valeur
    btr betr bdr
    wartosc wartosci kwoty castka ciastka iznos osszeg jine kingaku thanhtien tutari poso`,
  net: `net netto neto ht nett untaxed excl base imponible bersih subtotal ex exkl exclusive excluding taxable grundlage imposable
    safi safy
    liquido veroton osnovica matrah matrahi`,
  gross: `gross brutto bruto ttc incl inkl inclusive including kasar grand
    verollinen hanshui iliquido`,
  tax: `tax taxes vat gst sst mwst ust iva tva btw moms cukai ppn impuesto impuestos taxe steuer steuern mehrwertsteuer
    umsatzsteuer igv imposta
    dareeba dariba daribah dharibah vergi kdv podatek skatt mva imposto icms belasting pajak
    dph alv afa nds thue shuie shohizei fpa ddv`,
  rate: `rate satz tasa taux kadar tx
    nisba nisbah oran stawka sats tarief aliquota tarif
    stawki sazba sadzba stopa kulcs cota orani`,
  percent: `percent pct prozent porcentaje pourcent pourcentage perc prcnt peratus percentage pctage proz
    persen persentase yuzde procent
    procentu procentowy prosentti yuzdesi`,
  discount: `discount discounts disc dscnt dscount rabatt rab nachlass descuento descuentos dto remise diskaun potongan rebate sconto dtopor
    promo promotion promotions khasm khasem indirim rabat korting desconto diskon rabattsats remisepct
    rabatu upust sleva zlava popust alennus chietkhau zhekou kedvezmeny skidka iskonto reducere indirimi`,
  charge: `charge charges freight carriage carr fracht versandkosten portes gastos frais zuschlag surcharge`,
  paid: `paid prepaid bezahlt pagado paye deposit anzahlung anticipo acompte alloc allocated dibayar outstanding balance residual
    madfou odenen zaplacono betald betaald bayar
    saldo`,
  rounding: `rounding round rundung redondeo arrondi
    taqreeb pembulatan`,
  price: `price prices preis preise precio precios prix harga prezzo pvp pu listenpreis prc subprice einzelpreis ep stueckpreis
    sier siar thaman fiyat cena pris prijs preco hrg tarifa
    pric
    ceny cijena cijene hinta pret fiyati`,
  // lines
  line: `line lines position positionen positions pos posten linea lineas ligne lignes zeile zeilen row baris det detail
    details dtl detalle detalles dett butiran seq sequence idx rang renglon lineasfactura
    tafseel tafasil tafsil satir kalem pozycja pozycje rad rader linje linjer regel regels itens rinci rincian urutan
    partida partidas
    pozycji polozka polozky stavka stavke rivi rivit radek radky linha linhas tetel tetelek satiri satirlar`,
  item: `item items product products produkt produkte artikel article articles articulo articulos producto productos produit
    produits barang produk stock stk material goods good ware waren merchandise part parts inventory catalog prod itm service services leistung
    sanf asnaf muntaj mantuj urun malzeme towar towary vara varor artigo artigos produto produtos stok artikelen pakej variant variants variation variations
    towaru zbozi tovar tuote tuotteet artikl nomenklatura shangpin shohin hizmet urunler eidos cikk mahsulot`,
  description: `description descriptions desc descr descrip dscription descripcion beschreibung bezeichnung bez keterangan perihal designation
    libelle text texte texto benennung narrative descrizione label titel title titulo
    wasf opis omschrijving beskrivning beskrivelse descricao deskripsi uraian tanim betegnelse
    concepto conceptos design oms omschr
    opisu popis megnevezes kuvaus benamning mota`,
  quantity: `quantity quantities qty menge anzahl cantidad cant quantite qte kuantiti kuantitas quantita stueckzahl qnty qtty aantal
    kammiya kamiya kammiyah kamiyah miktar ilosc antall antal quantidade qtd qtde banyaknya adet
    mnozstvi mnozstvo kolicina mennyiseg kolichestvo soluong shuliang suryo miktari cantitate maara posotita`,
  unit: `unit units uom uofm einheit einheiten unidad unidades unite me measure mengeneinheit ukuran satuan unitofmeasure
    einh umedida unitario unitaire seunit udm
    ud wahda wihda birim jednostka enhet eenheid unidadmedida unidade
    jednotky jednostki miary egyseg jedinica yksikko donvitinh dvt danwei edizm birimi`,
  category: `category categories kategorie categoria categorie group groups gruppe grupo groupe kumpulan class klasse clase
    family familia famille warengruppe
    fia
    kategorii grupy skupina`,
  classification: `classification klassifikation clasificacion hs hsn hscode`,
  // parties
  buyer: `buyer customer customers cust client clients cliente clientes kunde kunden debtor debtors debitor debitoren bpartner businesspartner accountreceivable cli kun
    pelanggan partner partners societe soc tiers thirdparty party parties acheteur klien pembeli card bp deudor kd custmr
    aameel ameel zaboun zabun umalaa musteri klient klienci kund kunder klant klanten afnemer nasabah odbiorca nabywca langganan
    kontrahent kontrahenci kontrahenta nabywcy odbiorcy odberatel odberatele zakaznik kupac kupci asiakas asiakkaat pokupatel kontragent khachhang kehu tokuisaki vevo pelatis musteriler cari clientela kjoper kober`,
  seller: `seller org company companies compny comp empresa firma issuer organisation organization entreprise syarikat mandant
    oursociety subsidiary subsidiaries vendedora business businesses biller billers merchant merchants emisor emittente emetteur emitente
    sharika perusahaan bedrijf firmy foretag
    podmiot sprzedawca wystawca prodavac organizatsiya organizaciya congty kaisha sirket firmalar`,
  supplier: `supplier suppliers supp vendor vendors lieferant lieferanten proveedor proveedores fournisseur fournisseurs
    pembekal creditor kreditor purchase purchases purch einkauf einkaufs compra compras achat achats belian fornitore buying
    mowarrid muwarid mowarid tedarikci dostawca leverandor leverantor leverancier leveranciers fornecedor fornecedores pemasok pembelian
    dostawcy zakup zakupu zakupy dodavatel dobavljac toimittaja postavshchik postavschik nhacungcap gongyingshang furnizor alis alislar szallito`,
  employee: `employee employees staff user users usr salesperson salesman vertreter mitarbeiter agente vendedor vendeur
    pekerja pegawai operator owner author createdby rep agent empleado usuario utilisateur benutzer sachbearbeiter collaborateur collaborateurs
    muwazzaf dibuat karyawan penjual
    pracownik sprzedawcy uzytkownik kullanici utilizador`,
  warehouse: `warehouse warehouses lager almacen entrepot gudang bin depot
    makhzan depo magazyn magasin
    magazynu sklad skladiste varasto armazem ambar`,
  location: `location locations loc`,
  name: `name names nombre nom nama naam bezeichn razonsocial razon raison denominacion nome nm
    ism esm adi isim nazwa namn navn intitule nimi
    nazwy nazev nazov naziv denumire naimenovanie mingcheng unvan unvani adlari`,
  legal: `legal social juristisch`,
  first: `first vorname prenom given firstname forename fname
    imie jmeno etunimi`,
  last: `last nachname surname apellido apellidos lastname familyname lname
    nazwisko prijmeni sukunimi soyadi`,
  contact: `contact contacts cntct ansprechpartner contacto attention attn person persons persona kontakt hubungi
    irtibat yetkili contato
    anspr ansp
    osoba contactos`,
  address: `address addresses addr adr adresse adressen direccion direcciones direc domicilio domic strasse street str calle rue alamat
    anschrift road indirizzo adress via jalan strassehausnummer
    unwan onwan adres adresa endereco morada
    ulica ulice osoite katuosoite dizhi diachi juusho cim dieythynsi adresi`,
  city: `city town cty ort stadt ciudad poblacion pobl localidad ville bandar kota municipio citta wohnort
    madina madinah sehir miasto stad plaats cidade woonplaats
    miejscowosc mesto mjesto varos kaupunki localidade concelho postitoimipaikka gorod localitate semt`,
  postcode: `zip postcode plz postal postleitzahl codpostal codepostal poskod pincode pcode cap zipcode pstcd post
    kodepos postnr postnummer kodpocztowy postakodu ramzbaridi cep
    pstc
    psc postinumero irsz iranyitoszam ptt postakod`,
  state: `state province provincia bundesland region negeri county emirate departement estado stateprov kanton subdivision
    mohafaza emara imara wojewodztwo provinsi propinsi provincie prov il
    wojewodztwa judet distrito`,
  country: `country countries land laender pais paises pays negara ctry nation nazione nazioni paese landkz codpais
    dawla balad ulke kraj
    panstwo panstwa drzava orszag strana zeme krajina ulkesi`,
  phone: `phone phones tel telephone telefon telefono mobile mobil handy movil fon tlf tlfn tfno telp telno rufnummer telefono1 portable
    hatif jawal telepon telefoon telefone nohp hp
    phon
    telefonu dienthoai puhelin telefonlari`,
  email: `email mail mails emel correo courriel emailaddress
    bareed barid eposta epost surel`,
  fax: `fax telefax`,
  web: `web website url homepage internet www`,
  registration: `registration reg register registered registry handelsregister hrb registro siren siret ssm pendaftaran brn
    registrasi matricula
    regon krs ico maticni tradesicil`,
  licence: `licence license licencia lizenz lesen lic`,
  endpoint: `endpoint peppol peppolid`,
  vatnumber: `nif cif ustid ustidnr ustidnummer umsatzsteuerid vatin trn taxid tin cifnif siretva gstin abn rfc nit ruc kra
    partitaiva tvaintra steuernummer steuernr idfiscal vatno
    npwp nip orgnr orgnummer btwnr btwnummer cnpj cpf contribuinte vergino tckn tvanumber taxref siretvat
    dic adoszam oib afm inn`,
  // other documents and times of the same customer
  delivery: `delivery deliveries ship shipping shipment shipped shipto liefer lieferung lieferschein envio entrega livraison
    expedition penghantaran carrier delivered dispatch versand pakbon
    alternate alternative alternativa alternativas dostawa dostawy dodani isporuka toimitus irsaliye teslim sevk`,
  cost: `cost costs coste costo kosten kos cogs purchaseprice einkaufspreis ek wareneinsatz margin marge pamp buyprice cout
    custo naklad maliyet`,
  created: `created creation createdat createdon create crea erstellt angelegt insert inserted dateadded added datec alta entered
    creado creada creadoen erfasst erf erfdat anlagedat
    utworzono dodania vytvoreno olusturma criacao`,
  modified: `modified updated update updatedat changed geaendert modif write lastchanged mod tms timestamp upd
    actualizado actualizada actualizadoen aenddat
    zmiany zmienil zmeneno degistirme actualizacao`,
  deleted: `deleted geloescht voided void cancelled canceled cancel storniert anulada annule dibatal inactive dead batal
    annullato annullata annulled mulgha iptal anulowana vervallen dihapus dibatalkan
    anulowany uniewazniony zruseno stornovano silindi anulado peruttu`,
  draft: `draft drafts entwurf borrador brouillon rascunho bozza taslak`,
  recurring: `recurring recurrent recurrence template templates vorlage abo subscription rec`,
  log: `log logs history hist audit archive archiv queue backup bak tmp temp report cache staging stats statistics analytics copy copia copie kopie`,
  credit: `credit credits refund refunds gutschrift gutschriften abono avoir return returns rectificativa
    credited refunded kredit storno rueckgabe rectifica rectificada rectification rectificacion
    retur ishaar dain iade korekta kreditnota creditnota devolucion devolucao
    dobropis odobrenje hyvitys korekty jovairas zwrot iadesi`,
  sales: `sales sale sell selling venta ventas vente ventes verkauf verkaufs vk jualan vendite ar receivable receivables
    penjualan mabeeat mabiat satis verkoop sprzedaz salg venda vendas forsaljning
    sprzedazy prodej predaj prodaja myynti prodazha satislar`,
  actual: `actual`,
  branch: `branch branches filiale sucursal cawangan site`,
  parent: `parent header head hdr kopf cabecera entete master
    cabec cabecalho naglowek hlavicka zaglavlje baslik`,
  table: `table tables tabelle tabla tbl`,
  original: `original orig source against ursprung origen origine corrected corrects correcting reversed reversal reversing`,
};

/** Names that are several words run together, or mean more than one thing at once. */
const phrases: Readonly<Record<string, string>> = {
  taxaiva: 'tax rate',
  numcontrib: 'tax number vatnumber',
  numcontribuinte: 'tax number vatnumber',
  rabatproc: 'discount percent',
  vatproc: 'tax percent',
  nazwapelna: 'name legal',
  nrpelny: 'invoice number',
  kodpocztowy: 'postcode',
  dozaplaty: 'total due',
  terminplatnosci: 'due date',
  jm: 'unit',
  jednostkamiary: 'unit',
  aratoplam: 'net total',
  geneltoplam: 'gross total',
  vkn: 'tax number vatnumber',
  ytunnus: 'registration number',
  ahinta: 'unit price',
  tygia: 'exchange rate',
  masothue: 'tax number vatnumber',
  shuihao: 'tax number vatnumber',
  shuilv: 'tax rate',
  zeiritsu: 'tax rate',
  thuesuat: 'tax rate',
  stavkands: 'tax rate',
  alvkanta: 'tax rate',
  afakulcs: 'tax rate',
  sazbadph: 'tax rate',
  huilv: 'exchange rate',
  egysegar: 'unit price',
  danjia: 'unit price',
  dongia: 'unit price',
  tanka: 'unit price',
  precunit: 'unit price',
  condpag: 'payment terms',
  modopag: 'payment method',
  formaplatnosci: 'payment method',
  zaplacono: 'paid',
  taxnbr: 'tax number vatnumber',
  taxnr: 'tax number vatnumber',
  bilname: 'invoice name',
  biladdr: 'invoice address',
  bilcity: 'invoice city',
  bilstate: 'invoice state',
  bilzip: 'invoice postcode',
  bilcountry: 'invoice country',
  bilphone: 'invoice phone',
  bilemail: 'invoice email',
  bilcontact: 'invoice contact',
  shpname: 'delivery name',
  shpaddr: 'delivery address',
  shpcity: 'delivery city',
  shpstate: 'delivery state',
  shpzip: 'delivery postcode',
  shpcountry: 'delivery country',
  clcard: 'buyer',
  stline: 'item line',
  clfline: 'account line',
  trcurr: 'currency',
  trcode: 'type',
  trrate: 'exchange rate',
  capifirm: 'seller',
  trnet: 'net',
  distdisc: 'discount',
  totaldiscounted: 'net total',
  discper: 'discount percent',
  taxableflag: 'tax category',
  istaxable: 'tax category',
  pretax: 'net tax',
  beforetax: 'net tax',
  aftertax: 'gross tax',
  crmemo: 'credit invoice',
  creditmemo: 'credit invoice',
  posttax: 'gross tax',
  withouttax: 'net tax',
  withtax: 'gross tax',
  inctax: 'gross tax',
  intax: 'gross tax',
  taxinc: 'gross tax',
  incvat: 'gross tax',
  vatinc: 'gross tax',
  incgst: 'gross tax',
  inklmwst: 'gross tax',
  exklmwst: 'net tax',
  ohnemwst: 'net tax',
  mitmwst: 'gross tax',
  siniva: 'net tax',
  coniva: 'gross tax',
  semiva: 'net tax',
  comiva: 'gross tax',
  sinimpuestos: 'net tax',
  conimpuestos: 'gross tax',
  horstaxe: 'net tax',
  horstaxes: 'net tax',
  postaladdress: 'address',
  mainline: 'parent line',
  billto: 'invoice buyer',
  soldto: 'buyer',
  artnr: 'item number',
  artnum: 'item number',
  artno: 'item number',
  artcode: 'item code',
  artikelcode: 'item code',
  artikelnr: 'item number',
  zipcode: 'postcode',
  postcode: 'postcode',
  pincode: 'postcode',
  codepostal: 'postcode',
  lineno: 'line number',
  linenum: 'line number',
  lineid: 'line id',
  posnr: 'line number',
  pono: 'order number',
  lpono: 'order number',
  custpo: 'buyer order',
  crno: 'registration number',
  crnumber: 'registration number',
  licno: 'licence number',
  tradelic: 'licence',
  tradelicno: 'licence number',
  ponum: 'order number',
  ponumber: 'order number',
  discpercent: 'discount percent',
  itemcode: 'item code',
  phoneno: 'phone',
  telno: 'phone',
  docentry: 'invoice id',
  dockey: 'invoice id',
  ustidnummer: 'tax number vatnumber',
  partitaiva: 'tax number vatnumber',
  tvaintra: 'tax number vatnumber',
  sstno: 'tax number vatnumber',
  sstnumber: 'tax number vatnumber',
  vatno: 'tax number vatnumber',
  vatnum: 'tax number vatnumber',
  ustnum: 'tax number vatnumber',
  ustnr: 'tax number vatnumber',
  taxnum: 'tax number vatnumber',
  gstnum: 'tax number vatnumber',
  vatid: 'tax number vatnumber',
  vatregno: 'tax number vatnumber',
  vatregnumber: 'tax number vatnumber',
  gstno: 'tax number vatnumber',
  notin: 'tax number vatnumber tin',
  tinno: 'tax number vatnumber tin',
  vatnumber: 'tax number vatnumber',
  taxno: 'tax number vatnumber',
  taxnumber: 'tax number vatnumber',
  mengeneinheit: 'unit',
  unitofmeasure: 'unit',
  unitmeasure: 'unit',
  duedate: 'due date',
  faelligam: 'due date',
  faelligkeitsdatum: 'due date',
  echeance: 'due date',
  vencimiento: 'due date',
  reglementlimite: 'due date',
  zahlbarbis: 'due date',
  jatuhtempo: 'due date',
  totalakhir: 'gross total',
  razonsocial: 'name legal',
  raisonsociale: 'name legal',
  matawang: 'currency',
  vorname: 'first name',
  nachname: 'last name',
  firstname: 'first name',
  lastname: 'last name',
  prenom: 'first name',
  apellidos: 'last name',
  forename: 'first name',
  surname: 'last name',
  einzelpreis: 'unit price',
  stueckpreis: 'unit price',
  subprice: 'unit price',
  pvpunitario: 'unit price',
  gesamtpreis: 'total price',
  gesamtbetrag: 'total amount',
  bestellnummer: 'order number',
  auftragsnr: 'order number',
  formapago: 'payment method',
  zahlungsart: 'payment method',
  zahlungsziel: 'payment terms',
  iban: 'bank account number iban',
  hsn: 'classification code',
  hscode: 'classification code',
  peppolid: 'endpoint id',
  datef: 'invoice date',
  codpostal: 'postcode',
  codpais: 'country code',
  landkz: 'country code',
  taxid: 'tax number vatnumber',
  steuernummer: 'tax number vatnumber',
  steuernr: 'tax number vatnumber',
  grandtotal: 'gross total',
  subtotal: 'net total',
  dtopor: 'discount percent',
  uom: 'unit',
  nif: 'tax number vatnumber',
  cif: 'tax number vatnumber',
  cifnif: 'tax number vatnumber',
  ustid: 'tax number vatnumber',
  ustidnr: 'tax number vatnumber',
  trn: 'tax number vatnumber trn',
  tin: 'tax number vatnumber tin',
  vatin: 'tax number vatnumber',
  gstin: 'tax number vatnumber',
  brn: 'registration number',
  ssm: 'registration number',
  siren: 'registration number',
  siret: 'registration number',
  pvp: 'price',
  ttc: 'gross tax',
  ht: 'net tax',
  untaxed: 'net tax',
  npwp: 'tax number vatnumber',
  btwnummer: 'tax number vatnumber',
  btwnr: 'tax number vatnumber',
  nip: 'tax number vatnumber',
  orgnr: 'registration number',
  orgnummer: 'registration number',
  cnpj: 'tax number vatnumber',
  vergino: 'tax number vatnumber',
  raqmdareebi: 'tax number vatnumber',
  taxref: 'tax number vatnumber',
  tanggaljatuhtempo: 'due date',
  kodepos: 'postcode',
  hargasatuan: 'unit price',
  nomorfaktur: 'invoice number',
  nofaktur: 'invoice number',
  birimfiyat: 'unit price',
  precounitario: 'unit price',
  prezzounitario: 'unit price',
  fkdat: 'invoice date',
  bldat: 'invoice date',
  rdatum: 'invoice date',
  rgdatum: 'invoice date',
  redatum: 'invoice date',
  ldatum: 'delivery date',
  debnr: 'buyer number',
  debnum: 'buyer number',
  debno: 'buyer number',
  crdnr: 'supplier number',
  valcode: 'currency code',
  betcond: 'payment terms',
  btwper: 'tax percent',
  btwoms: 'tax description',
  bedrnm: 'seller name',
  budat: 'posting date',
  erdat: 'created date',
  aedat: 'modified date',
  ernam: 'created employee',
  netwr: 'net amount',
  netpr: 'net price',
  mwsbk: 'tax amount',
  mwsbp: 'tax amount',
  mwskz: 'tax code',
  fkimg: 'quantity',
  kwmeng: 'quantity',
  vrkme: 'unit',
  meins: 'unit',
  matnr: 'item number',
  arktx: 'description',
  maktx: 'item description',
  kunnr: 'buyer number',
  kunag: 'buyer number',
  kunrg: 'invoice buyer number',
  pstlz: 'postcode',
  stras: 'address',
  telf: 'phone',
  stceg: 'tax number vatnumber',
  regio: 'state',
  zterm: 'payment terms',
  vbeln: 'invoice number',
  fkart: 'invoice type',
  bstnk: 'buyer order reference',
  wavwr: 'cost',
  kbetr: 'rate',
  kursk: 'exchange rate',
  kurrf: 'exchange rate',
  smtpaddr: 'email',
  tipocambio: 'exchange rate',
  valorunitario: 'unit price',
  epreis: 'unit price',
  einzpreis: 'unit price',
  ekpreis: 'cost',
  vkpreis: 'price',
  priceout: 'price',
  pricein: 'cost',
  vsordine: 'buyer order reference',
  vknetto: 'price net',
  vkbrutto: 'price gross tax',
  eknetto: 'cost',
  ekbrutto: 'cost',
  vknettogesamt: 'net total',
  vkbruttogesamt: 'gross total',
  endbtr: 'gross total',
  endbetrag: 'gross total',
  belnr: 'invoice number',
  beldat: 'invoice date',
  belart: 'invoice type',
  waehrkz: 'currency code',
  lkz: 'country code',
  stschl: 'tax code',
  steuerschl: 'tax code',
  mwstschl: 'tax code',
  stkz: 'tax code',
  nam1: 'name',
  nam2: 'name 2',
  add1: 'address 1',
  add2: 'address 2',
  add3: 'address 3',
  uomc: 'unit',
  exrt: 'exchange rate',
  debstamm: 'buyer parent',
  kundstamm: 'buyer parent',
  kundenstamm: 'buyer parent',
  kredstamm: 'supplier parent',
  liefstamm: 'supplier parent',
  artstamm: 'item parent',
  vbrk: 'invoice parent',
  vbrp: 'invoice line',
  vbak: 'order parent',
  vbap: 'order line',
  kna: 'buyer',
  lfa: 'supplier',
  makt: 'item description',
};

/** What a name of few letters is about, as old systems cut it, and what the letter behind it makes of that. */
const cutStems: Readonly<Record<string, readonly [meaning: string, letters: string]>> = {
  inv: ['invoice', 'nda'],
  doc: ['invoice', 'nd'],
  ord: ['order', 'nd'],
  due: ['due', 'd'],
  cur: ['currency', 'c'],
  net: ['net', 'a'],
  tot: ['total', 'a'],
  vat: ['tax', 'acr'],
  tax: ['tax', 'acr'],
  dis: ['discount', 'ap'],
  cus: ['buyer', 'n'],
  itm: ['item', 'nc'],
};
const cutLetters: Readonly<Record<string, string>> = {
  n: 'number',
  d: 'date',
  a: 'amount',
  c: 'code',
  r: 'rate',
  p: 'percent',
};
/** Documents and their parts, as German systems cut them: `rgkopf`, `erpos`. */
const cutDocuments: Readonly<Record<string, string>> = {
  rg: 'invoice',
  re: 'invoice',
  rech: 'invoice',
  ar: 'invoice',
  er: 'supplier invoice',
  ls: 'delivery',
  ab: 'order',
  auf: 'order',
  an: 'quote',
  best: 'supplier order',
};
const cutParts: Readonly<Record<string, string>> = { kopf: 'parent', kpf: 'parent', pos: 'line' };

const concepts = collect();

function collect(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [concept, words] of Object.entries(wordsByConcept)) {
    for (const word of words.split(/\s+/)) if (!found.has(word)) found.set(word, [concept]);
  }
  for (const [phrase, meaning] of Object.entries(phrases)) found.set(phrase, meaning.split(' '));
  for (const [phrase, meaning] of cutPhrases()) {
    if (!found.has(phrase)) found.set(phrase, meaning.split(' '));
  }
  return found;
}

function cutPhrases(): readonly (readonly [string, string])[] {
  return [
    ['vatn', 'tax number vatnumber'],
    ...Object.entries(cutStems).flatMap(([stem, [meaning, letters]]) =>
      [...letters].map((letter) => [stem + letter, `${meaning} ${cutLetters[letter]}`] as const),
    ),
    ...Object.entries(cutDocuments).flatMap(([stem, meaning]) =>
      Object.entries(cutParts).map(([end, part]) => [stem + end, `${meaning} ${part}`] as const),
    ),
  ];
}

/** All words that are in a list. */
export function knownWords(): readonly string[] {
  return [...concepts.keys()];
}

/** What a word, or several run together, means; undefined when it is in no list. */
export function conceptsOf(word: string): readonly string[] | undefined {
  return concepts.get(word) ?? (word.length >= pluralMin ? singularOf(word) : undefined);
}

/** Letters of a word that may be a plural, at least. */
const pluralMin = 5;

/** `tipos`, `valores`: of a word that is in a list. */
function singularOf(word: string): readonly string[] | undefined {
  const [, stem] = /^([a-z]{4,}?)(?:e?s)$/.exec(word) ?? [];
  if (stem === undefined) return undefined;
  return concepts.get(stem) ?? concepts.get(`${stem}e`);
}

/** Words shorter than this are found inside a longer one only when they are in `endings`. */
const partMin = 3;
/** Short words that names end with. */
const endings: ReadonlySet<string> = new Set(['no', 'nr', 'id', 'cp', 'pu', 'dt']);
/** Letters that join two German words. */
const joints: ReadonlySet<string> = new Set(['s', 'n', 'en', 'es']);
/** Short words that are common inside others, so that they prove nothing there. */
const misleading: ReadonlySet<string> = new Set([
  'ism',
  'esm',
  'naw',
  'tur',
  'rad',
  'fia',
  'cep',
  'dag',
  'kur',
  'nip',
  'via',
  'ref',
  'rep',
  'net',
  'art',
  'ort',
  'tel',
  'dat',
  'bin',
  'loc',
  'cap',
  'fac',
  'std',
  'rec',
  'tot',
  'ust',
  'due',
  'mod',
  'row',
  'pos',
  'tip',
  'add',
  'rue',
  'age',
  'bil',
  'iva',
  'tva',
  'sum',
  'fon',
  'hub',
  'tms',
  'doc',
  'cod',
  'inv',
  'fee',
  'pay',
  'dto',
  'nom',
  'pvp',
  'ttc',
  'vat',
  'tax',
  'qty',
  'amt',
  'num',
  'zip',
  'plz',
  'cif',
  'nif',
  'gst',
  'sst',
  'key',
  'iso',
  'med',
  'prc',
  'pct',
  'uom',
  'cur',
  'ord',
  'kto',
  'dic',
  'inn',
]);

/** Letters that say whether a document is of sales or purchases, before its name, and of its lines, behind it. */
const oneLetter = /^([sp])(invoice|order|delivery|quote|return)(d|det|h|hdr)?$/;

function documentOf(text: string): readonly string[] | undefined {
  const [, side, document = '', part = ''] = oneLetter.exec(text) ?? [];
  if (side === undefined) return undefined;
  const parts = part === '' ? [] : [part.startsWith('d') ? 'line' : 'parent'];
  const own = concepts.get(document) ?? [document];
  return [side === 's' ? 'sales' : 'supplier', ...own, ...parts];
}

/**
 * The meaning of a name whose words are run together (`debtorno`, `kundennummer`), or undefined when
 * it is not made of known words; an unknown beginning is left as it is before a long known ending.
 */
export function conceptsOfCompound(text: string): readonly string[] | undefined {
  return documentOf(text) ?? compoundOf(text) ?? knownEnding(text) ?? knownBeginning(text);
}

/** Words that make up the whole text, with their meanings. */
function compoundOf(text: string): readonly string[] | undefined {
  const best = new Map<number, { readonly parts: readonly string[]; readonly cost: number }>([
    [0, { parts: [], cost: 0 }],
  ]);
  for (let from = 0; from < text.length; from++) {
    const reached = best.get(from);
    if (reached === undefined) continue;
    for (let to = from + 1; to <= text.length; to++) {
      const word = text.slice(from, to);
      const cost = costOf(word, from, to === text.length);
      if (cost === undefined) continue;
      const known = best.get(to);
      const total = reached.cost + cost;
      if (known !== undefined && known.cost <= total) continue;
      const parts = joints.has(word) ? reached.parts : [...reached.parts, word];
      best.set(to, { parts, cost: total });
    }
  }
  return best.get(text.length)?.parts.flatMap((part) => concepts.get(part) ?? []);
}

/** Words that end a longer one are believed from this length on: `multicurrency`. */
const endingMin = 6;
/** Shorter words that few others end with: `soptype`. */
const shortEndings: ReadonlySet<string> = new Set(['type', 'date', 'numbe', 'price']);
/** Letters of an unknown beginning before those, at most: a longer one makes another word, as `consolidate`. */
const shortUnknownMax = 4;
/** Letters of an unknown beginning before an ending of several words, at most: `txdtlpct`. */
const unknownMax = 3;

function knownEnding(text: string): readonly string[] | undefined {
  for (let at = 2; at < text.length; at++) {
    const rest = text.slice(at);
    if (rest.length < endingMin && !(at <= shortUnknownMax && shortEndings.has(rest))) continue;
    const known = concepts.get(rest) ?? (at <= unknownMax ? compoundOf(rest) : undefined);
    if (known !== undefined) return [text.slice(0, at), ...known];
  }
  return undefined;
}

/** `taxschid`: tax, and something that is not known. */
function knownBeginning(text: string): readonly string[] | undefined {
  const [, rest] = /^(?:tax|vat)([a-z]{3,})$/.exec(text) ?? [];
  return rest === undefined ? undefined : ['tax', rest];
}

/** Few and long words are likelier than many short ones. */
function costOf(word: string, from: number, isEnd: boolean): number | undefined {
  if (concepts.has(word) && (word.length >= partMin || (isEnd && from > 0 && endings.has(word)))) {
    return 1 + (misleading.has(word) ? 0.6 : 0) + 1 / word.length;
  }
  return from > 0 && !isEnd && joints.has(word) ? 0.5 : undefined;
}
