"""Function words: they tell the language of a text, and say little in a query."""

_ENGLISH = """a about after again all also am an and any are as at be because been before being
between both but by can could did do does doing down during each few for from further had has have
having he her here hers him his how i if in into is it its just me more most my no nor not of off
on once only or other our out over own same she should so some such than that the their them then
there these they this those through to too under until up very was we were what when where which
while who whom why will with would you your"""
_DANISH = """af at da de den der det dig efter eller en end er et for fra ham han har havde hun
hvad hvis hvor i ikke jeg kan man med meget mig min når og også om op på selv sig skal som så til
ud var ved vi vil være"""
_DUTCH = """aan al als bij dan dat de deze die dit door een en er geen haar had heeft het hij hoe
ik in is je kan maar meer met naar niet nog nu of om onder ook op over te tot uit van veel voor
was wat werd wordt ze zich zij zijn zo"""
_FINNISH = """ei eivät en että ja jo joka jos kanssa koska kuin kun mikä mukaan mutta myös ne niin
nämä oli olla on ovat se sekä sen siitä sitä tai tämä voi vain"""
_FRENCH = """au aux avec ce ces cette comme dans de des du elle en est et eux il ils je la le les
leur lui ma mais même mes ne nos notre nous on ou où par pas plus pour qu que quel quelle qui sa
sans se ses son sont sur ta te tu un une vos votre vous été être"""
_GERMAN = """aber als am an auch auf aus bei beim bin bis das dass dem den der des die doch du
durch ein eine einem einen einer eines er es für gegen hat haben ich ihr im in ist kann kein keine
man mit nach nicht noch nur oder ohne sehr sein sich sie sind so um und uns unter vom von vor war
was wenn wer werden wie wir wird wurde zu zum zur über"""
_HUNGARIAN = """a az azt csak de egy ez ezt ha hogy is kell ki le lehet már még meg mert mint
nagyon nem nincs olyan pedig s sem több vagy van volt és"""
_ITALIAN = """al alla anche che chi ci come con da dal dalla dei del della delle di e gli ha i il
in io la le lo ma mi nei nel nella non o per più perché quale quando questa questo se si sono su
sua suo sul tra un una uno è"""
_NORWEGIAN = """av at bare ble da de den der det du eller en er et etter for fra han har hun hva
hvor i ikke jeg kan man med men mot noe nå når og også om opp på seg skal som så til var ved vi
vil være ut"""
_PORTUGUESE = """ao aos as com como da das de do dos e ela ele em entre era essa esse esta este eu
foi há isso já mais mas me mesmo muito na nas no nos não nós o os ou para pela pelo por quando que
quem se sem ser seu sua são também tem um uma"""
_ROMANIAN = """acest această au avea ca care ce cel cu cum dar de din după ea el este eu fi fost
fără in la le lui mai nu o pe pentru prin sau se si sunt sa un unei unui în și să"""
_RUSSIAN = """а без бы был была были было быть в вы для до его ее если есть же за и из или им их к
как когда кто ли мы на не нет но о об он она они от по при с так также то того только у уже что
чтобы это этого я"""
_SPANISH = """al ante como con cual cuando de del desde donde el ella en entre era es esta este
esto fue ha hay la las le lo los más me mi muy no nos o para pero por porque que qué quien se ser
si sin sobre son su sus también te tiene un una uno y ya"""
_SWEDISH = """att av de den denna det du efter eller en ett från för han har hon hur i icke inte
jag kan man med men mot mycket när och också om på sedan sig sin ska som så till under upp ut vad
var vi vid vilka än är"""
_TURKISH = """ama bir bu çok da daha de değil en gibi göre hem her için ile ise kadar ki mi ne
olan olarak olduğu sonra ve veya ya"""

# by the ISO 639-1 code; the order decides between equals
FUNCTION_WORDS = {
    code: frozenset(words.split())
    for code, words in (
        ("en", _ENGLISH), ("de", _GERMAN), ("fr", _FRENCH), ("es", _SPANISH), ("it", _ITALIAN),
        ("pt", _PORTUGUESE), ("nl", _DUTCH), ("ru", _RUSSIAN), ("sv", _SWEDISH), ("da", _DANISH),
        ("no", _NORWEGIAN), ("fi", _FINNISH), ("hu", _HUNGARIAN), ("ro", _ROMANIAN),
        ("tr", _TURKISH),
    )
}  # fmt: skip
